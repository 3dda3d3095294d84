import { code, list, table, text, type Chapter } from './blocks.ts';

/** What administrators look at first. */
const dashboardChapter: Chapter = {
  id: 'administration',
  title: 'Administration',
  blocks: [
    text(
      'The page Dashboard, under Admin, says first whether the service is ready, then what is to be mended and how, the worst first. What is well is folded up below it.',
    ),
    table(
      ['Fails', 'The service cannot do its work until the fix beside it is done; it is then not ready.'],
      ['Warning', 'It works, but something is unsafe, will run out, or makes reports look cleaner than they are.'],
      ['Remark', 'Worth knowing; there is nothing to do.'],
    ),
    list(
      'What was found stands for five minutes. Run checks now looks anew, and is what to press after a fix.',
      'Looked at are the database and its schema, the key-value store, the stored files (one is written, read and deleted), the settings, what proxies in front pass on, known default passwords, stored secrets, room on the disks, the engines of the workflows, and the age of the rules.',
      'Client address shows whom this very request came from and whom it counts as: where a proxy in front is not named, everybody behind it shares one limit.',
      'Below are how much there is, what was done last, and what can be made anew, each with its last run.',
    ),
    text(
      'Monitoring asks for the same with an API token of an administrator with the scope `readiness:read`. The answer is 200, or 503 when the service is not ready:',
    ),
    code('curl -fsS -H "Authorization: Bearer $SVC_TOKEN" http://127.0.0.1:8000/admin/readiness'),
    text(
      'On the machine itself, also when the service does not start, `svc doctor` makes these checks and looks at the port, the memory and the containers. Its exit code is 1 when something fails.',
    ),
    code('npx svc doctor', 'npx svc doctor --json'),
  ],
};

/** What administrators see, decide and repair. */
export const administrationChapters: readonly Chapter[] = [
  dashboardChapter,
  {
    id: 'ai-providers',
    title: 'AI providers',
    blocks: [
      text(
        'A provider is a language model that members can have analyse a job or a case. Administrators add it on the page AI providers, under Admin, and switch AI analysis on in the settings.',
      ),
      table(
        ['OpenAI-compatible', 'Asks for chat completions, as OpenAI does and most models that you host yourselves.'],
        ['Anthropic', 'Asks for messages, as Anthropic does.'],
      ),
      list(
        'The base URL is the address up to `/v1`; the path after it is added. Test has the model say one word.',
        'The token is sealed, never shown again, and sent in one header to that address alone. Forget the token takes it away.',
        'Stand-ins: hosts, people, domains and addresses of your own leave as tokens and come back as names in the answer. By default they do, unless the model is in your own network.',
        'The limits of the brief say how much of a job or a case is sent at most, the max output tokens how long the answer may become, the timeout how long all of it may take.',
        'What each run has sent can be read by administrators and by whoever started it, its log by administrators. A run that fails says why, and is never tried again by itself.',
        'AI_TOKENS_PER_USER_PER_DAY and AI_TOKENS_PER_DAY limit what the runs of 24 hours may cost.',
      ),
    ],
  },
  {
    id: 'workflows',
    title: 'Workflows',
    blocks: [
      text(
        'A workflow says how a log is analysed: which types of logs it takes, and which tasks are done on them, in order. Seven ship with the service; administrators change them and make their own on the page Workflows, under Admin.',
      ),
      list(
        'Each task names an engine. The built-in one, sigma-native, runs the rules of all enabled packs, or of those that you choose, narrowed by severity, status, tags or the ids of rules. Other engines run where the service has them enabled.',
        'The form and the YAML beside it are the same: what you change in one is in the other at once, with your comments. What is wrong stands below with its key; a click on its line leads there. Warnings say what would not run here, and do not keep you from saving.',
        'Jobs that begin after you save are done by it; a job that has begun goes on as it was. Submitting the same file again makes a new job once its workflow has changed. “Run it on the sample” shows at once what it finds, in a private job.',
        'A workflow that ships follows updates of the service until you edit it. Its page then says so, shows what is different, and takes it back when you ask. To switch it off or make it the default is no edit.',
        'Switch a workflow off, or delete it, whenever you like: jobs keep their reports and the name of the workflow, and those that wait are still done. One that ships and was deleted can be brought back.',
        'Export YAML gives all workflows as documents with --- between them, each as they ship; Import YAML takes such a text by the names in it, after a look at what would change. All of it is taken, or nothing.',
      ),
      code(`name: Windows, severe alone
log_types: [evtx]
tasks:
  - tool: sigma-native
    packs: [core]
    filters:
      min_level: high
      exclude: [2f1d0bd1-3ab8-46e8-b1b2-9a76d1a0b1f4]
    timeout: 1800
`),
    ],
  },
  {
    id: 'admin-engines',
    title: 'Other engines',
    blocks: [
      text(
        'Beside the built-in engine, workflows can run Hayabusa, Chainsaw, Zircolite and ChopChopGo, as a second and third opinion. None of them comes with the service. The page Engines, under Admin, says of each whether it is enabled, what a worker found of it, how its runs went and how long it takes for a megabyte.',
      ),
      list(
        'Enable holds in every process from the next job on, without a restart. A worker then looks for the engine; Test now looks again. What it finds is said with the host that it looked on: install an engine on every worker of the heavy lane.',
        'Where it is: on the PATH of workers, a program by its path, an image by its name, or a Dockerfile that workers build. An image is best named with its digest. Pull or Build has it there before the first job needs it, and shows what is said meanwhile. A task of a workflow that says itself where its engine is goes by that.',
        'Where an engine cannot run, its tasks are skipped with the reason, and reports say so. A job whose only engine cannot run fails.',
        'A worker that runs containers may do on its host what the container runtime may: on most machines that is everything. A program runs as the account of the worker. Enable what you would install yourself.',
        'Jobs with another engine are done by workers of the heavy lane, also small ones.',
      ),
      text('Tests of the readiness page name the engines of each workflow, and what of them is missing.'),
    ],
  },
  {
    id: 'settings',
    title: 'Settings of the site',
    blocks: [
      text(
        'Administrators change on the page Settings what holds for everybody. Each switch is saved by itself and holds from the next request on, without a restart.',
      ),
      list(
        'A banner: a marking such as TLP:AMBER, in the colours of that protocol, and a line of text stand on top of every page, also for visitors and on printed reports.',
        'Parts of reports can be switched off: the strip of tactics, hours, timeline, process tree, heuristics and entities. They are then not served, to scripts neither, but for the downloads of administrators. They are still derived: switching one on again shows it for every job.',
        'Matched events under a finding: a smaller number shows less at once, a larger one keeps more in analyses from then on.',
        'Private jobs feed entities: when off, they make no entity and count for none, and are only linked, for those who see them, to what other jobs name.',
        'A read-only demonstration takes no files; what is there can be read.',
      ),
      text('Whoever has the machine backs everything up while the service runs, and restores it into an empty place:'),
      code('npx svc admin backup /backups/today', 'npx svc admin verify /backups/today'),
      text(
        'The page Workers shows who analyses jobs, by host, and how many wait. Pause has a host finish what it has and begin nothing, so that it can be restarted; At most bounds its jobs at a time. Both hold within seconds. A host that is paused still works when no other does.',
      ),
      text(
        'The page Storage shows what takes room, the largest jobs, and how long each thing is kept. The days of raw outputs are changed there. What a crash has left and nobody owns is removed by itself after a day, or there at once, after a look at it.',
      ),
    ],
  },
  {
    id: 'enrichment',
    title: 'Enrichment services',
    blocks: [
      text(
        'The page Enrichment, under Admin, says which services members may ask about entities. Begin with one that is known by name, as VirusTotal, AbuseIPDB, GreyNoise, Shodan, OTX, URLhaus, urlscan.io, MISP or OpenCTI, and give it your token; or write the templates of any other.',
      ),
      list(
        'In templates `{value}` stands for the value and `{token}` for the token. The host of an address holds neither, a link never the token.',
        'Summary and verdict lines name parts of the answer by JSON pointers: `score: /data/score` is shown, `malicious: /data/score >= 75` is a verdict, as are `clean: /class = benign` and, for what is there at all, `suspicious: /pulses`. The strongest that is met counts.',
        'VirusTotal (4 engines or more: malicious, one: suspicious) and AbuseIPDB (a score of 50: malicious, of 25: suspicious) have verdicts without lines. All others have none unless you write some.',
        'The token is stored encrypted and never shown again. Save another to replace it.',
        'Requests a minute are counted over everybody. After five failures in a row a service is left alone for a minute, then for longer; the page says until when, and why.',
      ),
      text(
        'Whom you let members ask learns of the values that they look up. Addresses of hosts in a private network are refused unless the operator sets `ENRICHMENT_REQUIRE_PUBLIC_HOST=false`.',
      ),
    ],
  },
  {
    id: 'tasks',
    title: 'Tasks',
    blocks: [
      text(
        'What the service does beside answering is on the page Tasks, under Admin. Activity shows jobs and tasks that are worked on or wait, and the last that have ended; one that has ended can be run again. A task that no worker reports on is Lost: Recover closes it.',
      ),
      text(
        'Queue shows what waits for a worker or for its time. Drop takes a task out before it is begun and ends what it was for: its job is cancelled, its delivery fails and can be asked for again. Scheduled says of what comes by itself how it went the last time and when it comes next.',
      ),
      text(
        'Make anew holds what is done over all jobs after an update, or when a list or file that it goes by has changed. Each can be stopped, goes on where it was when its process ends, and changes nothing when it is run twice.',
      ),
    ],
  },
];
