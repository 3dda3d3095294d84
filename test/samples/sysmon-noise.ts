import type { EvtxEvent } from '@svc/engine/testing';
import { at, domain, fullName, hosts, people, pids, shells } from './company.ts';
import { Random } from './random.ts';
import { type Process, type Session, session, SysmonLog } from './sysmon-log.ts';

const system32 = 'C:\\Windows\\System32\\';
const home = 'C:\\Users\\m.okafor\\';
const office = 'C:\\Program Files\\Microsoft Office\\root\\Office16\\';
const platform = 'C:\\ProgramData\\Microsoft\\Windows Defender\\Platform\\4.18.24090.11-0\\';
const proxy = { ip: hosts.proxy.ip, port: 8080, name: fullName(hosts.proxy) };
const controllerLdap = { ip: hosts.controller.ip, port: 389, name: fullName(hosts.controller) };
const fileShare = { ip: hosts.files.ip, port: 445, name: fullName(hosts.files) };

export const user = session(people.finance.account, 0x4f21c, at('08:31:04.118'), 1);
export const system = session('NT AUTHORITY\\SYSTEM', 0x3e7, at('06:48:14.000'), 0);
const networkService = session('NT AUTHORITY\\NETWORK SERVICE', 0x3e4, at('06:48:16.000'), 0);

/** An ordinary morning on the finance workstation: no rule may find anything in it. */
export function sysmonNoise(): readonly EvtxEvent[] {
  const morning = new Morning(new SysmonLog(20261117, 0), new Random(7411));
  morning.logOn();
  for (let time = at('08:37:10.000'); time < at('10:24:00.000'); time += morning.random.int(14_000, 62_000)) {
    morning.random.pick(morning.habits)(time);
  }
  shells.inventory.forEach((pid, hour) =>
    morning.takeInventory(at(`${String(9 + hour).padStart(2, '0')}:00:03.220`), pid),
  );
  for (const clock of ['08:44:31.902', '09:44:31.655']) morning.updateBrowser(at(clock));
  morning.getSupport(at('08:45:12.731'));
  morning.updatePolicy(at('09:17:22.480'));
  return morning.log.events;
}

/** Processes that run before the intrusion and that it touches. */
export function familiar(log: SysmonLog): { system: Process; defender: Process; outlook: Process } {
  const running = (image: string, as: Session, clock: string, pid: number): Process =>
    log.running(image, as, at(clock), { pid, commandLine: image.includes(' ') ? `"${image}"` : image });
  return {
    system: running('System', system, '06:48:13.000', pids.system),
    defender: running(`${platform}MsMpEng.exe`, system, '06:48:40.000', pids.defender),
    outlook: running(`${office}OUTLOOK.EXE`, user, '08:35:48.113', pids.outlook),
  };
}

class Morning {
  readonly log: SysmonLog;
  readonly random: Random;
  readonly #broker: Process;
  readonly #scheduler: Process;
  readonly #indexer: Process;
  readonly #familiar: ReturnType<typeof familiar>;
  readonly #names: Process;
  #explorer: Process;
  #chrome: Process;
  #outlook: Process;
  #teams: Process;
  #excel: Process;

  constructor(log: SysmonLog, random: Random) {
    this.log = log;
    this.random = random;
    const service = (name: string, clock: string, as = system): Process =>
      log.running(`${system32}svchost.exe`, as, at(clock), {
        commandLine: `C:\\Windows\\system32\\svchost.exe -k ${name}`,
      });
    this.#broker = service('DcomLaunch -p', '06:48:15.210');
    this.#scheduler = service('netsvcs -p -s Schedule', '06:48:17.904');
    this.#names = service('NetworkService -p -s Dnscache', '06:48:18.377', networkService);
    this.#indexer = log.running(`${system32}SearchIndexer.exe`, system, at('06:49:02.000'));
    this.#familiar = familiar(log);
    const logon = log.running(`${system32}userinit.exe`, user, at('08:31:05.870'));
    this.#explorer = this.#chrome = this.#outlook = this.#teams = this.#excel = logon;
  }

  logOn(): void {
    const { log } = this;
    const userinit = this.#explorer;
    this.#explorer = log.start(at('08:31:06.402'), {
      image: 'C:\\Windows\\explorer.exe',
      commandLine: 'C:\\Windows\\Explorer.EXE',
      parent: userinit,
      pid: pids.explorer,
    });
    const script = log.start(at('08:31:08.730'), {
      image: `${system32}cscript.exe`,
      commandLine: `cscript //nologo \\\\${domain.dns}\\SysVol\\${domain.dns}\\scripts\\drives.vbs`,
      parent: userinit,
    });
    const map = {
      image: `${system32}cmd.exe`,
      commandLine: 'cmd /c net use F: \\\\SRV-FILE02\\Finance',
      parent: script,
    };
    const shell = log.brief(at('08:31:09.114'), map, 720);
    const net = { image: `${system32}net.exe`, commandLine: 'net use F: \\\\SRV-FILE02\\Finance', parent: shell };
    log.brief(at('08:31:09.188'), net, 610);
    log.connect(at('08:31:09.320'), this.#familiar.system, fileShare);
    log.exit(at('08:31:10.002'), script);
    log.exit(at('08:31:31.254'), userinit);
    const drive = this.#open('08:31:22.615', `${home}AppData\\Local\\Microsoft\\OneDrive\\OneDrive.exe`, '/background');
    const run = `HKU\\${people.finance.sid}\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Run\\OneDrive`;
    log.setValue(at('08:31:25.040'), drive, run, `"${drive.image}" /background`);
    log.connect(at('08:31:26.902'), drive, proxy);
    const store = 'C:\\Program Files\\WindowsApps\\MSTeams_24295.605.3225.8804_x64__8wekyb3d8bbwe\\';
    this.#teams = this.#open('08:33:40.271', `${store}ms-teams.exe`, 'msteams:system-initiated');
    this.#outlook = this.#open('08:35:48.113', `${office}OUTLOOK.EXE`, '', pids.outlook);
    this.#chrome = this.#open('08:36:30.554', 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', '');
    this.#excel = this.#open('08:37:02.644', `${office}EXCEL.EXE`, '"F:\\2026\\Q4\\Payment run.xlsx"');
  }

  /** What goes on all day; one is picked at a time. */
  readonly habits: readonly ((time: number) => void)[] = [
    (time) => this.#browse(time),
    (time) => this.#browse(time),
    (time) => this.#index(time),
    (time) => this.#runTask(time),
    (time) => this.#surrogate(time),
    (time) => this.#mail(time),
    (time) => this.log.connect(time, this.#teams, proxy),
    (time) => this.#workInExcel(time),
    (time) => this.#look(time),
    (time) => this.#openLsass(time),
  ];

  takeInventory(time: number, pid: number): void {
    const shell = this.log.start(time, {
      image: `${system32}WindowsPowerShell\\v1.0\\powershell.exe`,
      commandLine:
        'powershell.exe -NoProfile -ExecutionPolicy AllSigned -File "C:\\Program Files\\HarrowPell\\Inventory\\inventory.ps1"',
      parent: this.#scheduler,
      pid,
    });
    this.log.createPipe(
      time + 410,
      shell,
      `\\PSHost.1340535${this.random.int(10 ** 10, 10 ** 11)}.${pid}.DefaultAppDomain.powershell`,
    );
    this.log.writeFile(time + 390, shell, `C:\\Windows\\Temp\\__PSScriptPolicyTest_${this.random.hex(8)}.t4u.ps1`);
    this.log.connect(time + 2800, shell, fileShare);
    this.log.exit(time + 9700, shell);
  }

  updateBrowser(time: number): void {
    const folder = 'C:\\Program Files (x86)\\Google\\GoogleUpdater\\132.0.6833.0\\';
    const start = {
      image: `${folder}updater.exe`,
      commandLine: `"${folder}updater.exe" --wake --system`,
      parent: this.#scheduler,
      directory: folder,
    };
    const updater = this.log.brief(time, start, 21_350);
    this.log.connect(time + 4100, updater, proxy);
  }

  updatePolicy(time: number): void {
    const start = {
      image: `${system32}gpupdate.exe`,
      commandLine: 'gpupdate.exe /target:computer',
      parent: this.#scheduler,
    };
    const update = this.log.brief(time, start, 3180);
    this.log.resolve(time + 240, update, fullName(hosts.controller), `::ffff:${hosts.controller.ip};`);
    this.log.connect(time + 390, update, controllerLdap);
  }

  #open(clock: string, image: string, argument: string, pid?: number): Process {
    const commandLine = `"${image}" ${argument}`.trim();
    const start = { image, commandLine, parent: this.#explorer, directory: home };
    return this.log.start(at(clock), pid === undefined ? start : { ...start, pid });
  }

  /** The administrator's credentials are in memory from here on. */
  getSupport(time: number): void {
    const helper = session(people.admin.account, 0x9a7d3, time - 900, 1);
    const image = `${system32}mmc.exe`;
    const commandLine = `"${image}" "${system32}services.msc"`;
    const start = { image, commandLine, parent: this.#explorer, session: helper, integrity: 'High' };
    this.log.brief(time, start, 214_000);
  }

  #browse(time: number): void {
    const [low, high] = [this.random.int(20, 90), this.random.int(6000, 9900)];
    const tab = {
      image: this.#chrome.image,
      commandLine: `"${this.#chrome.image}" --type=renderer --lang=en-GB --renderer-client-id=${low} --mojo-platform-channel-handle=${high} /prefetch:1`,
      parent: this.#chrome,
      directory: 'C:\\Program Files\\Google\\Chrome\\Application\\131.0.6778.70\\',
      integrity: 'Untrusted',
    };
    this.log.brief(time, tab, this.random.int(40_000, 400_000));
    this.log.createPipe(
      time + 30,
      this.#chrome,
      `\\mojo.${this.#chrome.pid}.${high}.${this.random.int(10 ** 17, 10 ** 18)}`,
    );
    this.log.connect(time + 210, this.#chrome, proxy);
  }

  #index(time: number): void {
    const number = this.random.int(40, 200);
    const pipe = `Global\\UsGthrFltPipeMssGthrPipe${number}_`;
    const host = {
      image: `${system32}SearchProtocolHost.exe`,
      commandLine: `"C:\\Windows\\system32\\SearchProtocolHost.exe" ${pipe} ${pipe.replace('Flt', 'Ctrl')} 1 -2147483646`,
      parent: this.#indexer,
    };
    const lasts = this.random.int(55_000, 71_000);
    this.log.brief(time, host, lasts + 940);
    const filter = {
      image: `${system32}SearchFilterHost.exe`,
      commandLine: `"C:\\Windows\\system32\\SearchFilterHost.exe" 0 ${this.random.int(700, 900)} 812 8192 808`,
      parent: this.#indexer,
    };
    this.log.brief(time + 110, filter, lasts);
  }

  #runTask(time: number): void {
    const argument = this.random.pick(['KEYROAMING', 'USER', '/RuntimeWide', 'Install $(Arg0)']);
    const host = {
      image: `${system32}taskhostw.exe`,
      commandLine: `taskhostw.exe ${argument}`,
      parent: this.#scheduler,
    };
    this.log.brief(time, host, this.random.int(900, 15_000));
  }

  #surrogate(time: number): void {
    const names = ['RuntimeBroker.exe', 'backgroundTaskHost.exe', 'dllhost.exe', 'smartscreen.exe'];
    const name = this.random.pick(names);
    const argument = name === 'dllhost.exe' ? `/Processid:${this.random.guid()}` : '-Embedding';
    const commandLine = `C:\\Windows\\System32\\${name} ${argument}`;
    const start = { image: `${system32}${name}`, commandLine, parent: this.#broker, session: user };
    this.log.brief(time, start, this.random.int(5000, 30_000));
  }

  #mail(time: number): void {
    this.log.resolve(time, this.#outlook, fullName(hosts.proxy), `::ffff:${hosts.proxy.ip};`);
    this.log.connect(time + 80, this.#outlook, proxy);
  }

  #workInExcel(time: number): void {
    this.log.writeFile(
      time,
      this.#excel,
      `F:\\2026\\Q4\\~$${this.random.pick(['Freight accruals', 'Carrier rates', 'Payment run'])}.xlsx`,
    );
    this.log.connect(time + 60, this.#familiar.system, fileShare);
  }

  #look(time: number): void {
    const recent = `HKU\\${people.finance.sid}\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Explorer\\RecentDocs`;
    this.log.setValue(time, this.#explorer, `${recent}\\.xlsx\\${this.random.int(0, 30)}`, 'Binary Data');
    this.log.resolve(time + 40, this.#names, fullName(hosts.controller), `::ffff:${hosts.controller.ip};`);
  }

  #openLsass(time: number): void {
    const [process, access] = this.random.pick([
      [this.#familiar.defender, 0x1410],
      [this.#scheduler, 0x1000],
    ] as const);
    const frames = [
      ['SYSTEM32\\ntdll.dll', 0x9f864],
      ['System32\\KERNELBASE.dll', 0x4a5a6],
      ['System32\\lsm.dll', 0x111c9],
    ] as const;
    const trace = frames.map(([file, offset]) => `C:\\Windows\\${file}+${offset.toString(16)}`).join('|');
    this.log.openLsass(time, process, access, trace);
  }
}
