// The table of npm scripts that have no file of their own: what each does, what must be there before, and what is run.
//   says       what it does, and its options
//   installs   folders beside the repository's own whose packages it needs
//   builds     parts of the product that it needs
//   programs   other programs that it runs with; what lacks is named in the environment as SKIP_…
//   mustFind   whether it ends when one of those cannot be found
//   env        variables that it is run with where they are not set
// and one of
//   module     JavaScript that runs in this process, so that signals reach it
//   bundle     TypeScript that is bundled first, and `beside`, what it starts from its own folder
//   script     a file of this folder
//   commands   others of this table, one after another

const isDebugging = /^(1|true|yes|on|y|enabled)$/i.test(process.env.DEBUG ?? '');

export const commands = {
  start: {
    says: 'serve',
    builds: ['web', 'server', ...(isDebugging ? ['api-docs'] : [])],
    module: 'dist/server/main.mjs',
  },
  worker: {
    says: 'analyse jobs for the processes of npm start',
    builds: ['worker'],
    module: 'dist/worker/main.mjs',
  },
  migrate: {
    says: 'bring the database up to date',
    builds: ['worker'],
    module: 'dist/worker/migrate.mjs',
  },
  'move-database': {
    says: 'move the embedded database to a server',
    builds: ['worker'],
    module: 'dist/worker/move-database.mjs',
  },
  'restore-drill': {
    says: 'restore a backup into a temporary folder, serve it, and remove it again: DIR [--without-keys]',
    builds: ['web', 'server'],
    script: 'restore-drill.mjs',
  },
  localstack: {
    says: 'the AWS mode on this machine, over LocalStack (docs/localstack.md)',
    installs: ['infra'],
    builds: ['web', 'server', 'worker'],
    script: 'localstack.mjs',
  },
  cdk: {
    says: 'the AWS CDK, as npx cdk runs it: synth | diff | deploy --all | destroy …',
    module: 'scripts/cdk.mjs',
  },
  abuse: {
    says: 'requests that nobody means well with, against the built server: [--seconds N of each caller] [--seed N]',
    script: 'abuse.mjs',
  },
  fuzz: {
    says: 'inputs that nobody means well with, for the engine: [--inputs N] [--seconds N] [--reader NAME] [--seed X] [--replay FILE]',
    // What is freed goes back to the system at once, so that growth is what is kept.
    env: { GLIBC_TUNABLES: 'glibc.malloc.mmap_threshold=131072:glibc.malloc.trim_threshold=131072' },
    bundle: 'test/fuzz/main.ts',
  },
  quality: {
    says: 'how much the core pack finds in public logs of attacks, and how little elsewhere (docs/rules.md)',
    bundle: 'test/quality/core-pack.ts',
  },
  'quality:rates': {
    says: 'write how often each rule of the core pack matches in ordinary logs: [FOLDER of recordings …] [--ordinary FOLDER …] (docs/rules.md)',
    bundle: 'test/quality/rates.ts',
  },
  differential: {
    says: 'compare the engine’s findings with those of other programs: [--reuse] [--list TEXT] (docs/engine-differences.md)',
    bundle: 'test/differential/main.ts',
  },
  'differential:evtx': {
    says: 'compare every value read from event logs with what pyevtx-rs reads: [FILE.evtx …]; needs python3 with evtx',
    bundle: 'test/differential/evtx-fields.ts',
  },
  samples: {
    says: 'write the sample logs of config/samples anew',
    bundle: 'test/samples/write-samples.ts',
  },
  'guide:images': {
    says: 'take the pictures of the guide and of the README anew',
    builds: ['server', 'web'],
    programs: ['chromium'],
    bundle: 'test/guide/take-pictures.ts',
  },
  bench: {
    says: 'the figures of docs/bench.md',
    commands: ['bench:engine', 'bench:memory', 'bench:peers', 'bench:http'],
  },
  'bench:abuse': {
    says: 'what honest people notice while others abuse the service: [--seconds N] [--addresses N] [--only slow|bombs|guesses|readers]…',
    builds: ['web', 'server'],
    bundle: 'test/load/abuse-bench.ts',
  },
  'bench:engine': {
    says: 'how fast the engine reads and matches each kind of log: [--only KIND]… [--passes N] [--megabytes N]',
    builds: ['cli'],
    bundle: 'test/load/engine-bench.ts',
  },
  'bench:functions': {
    says: 'what a cold start of each Lambda function costs: [--runs N]',
    builds: ['functions'],
    script: 'bench-functions.mjs',
  },
  'bench:http': {
    says: 'submissions, statuses and one large upload over HTTP: [--files N] [--megabytes N]',
    builds: ['server'],
    programs: ['postgres', 'redis'],
    bundle: 'test/load/http-bench.ts',
  },
  'bench:activity': {
    says: 'what writing the activity log costs submissions, on a PostgreSQL server: [--rate N] [--rounds N] [--seconds N]',
    programs: ['postgres'],
    bundle: 'test/load/activity-bench.ts',
  },
  'bench:ai': {
    says: 'runs of AI analysis while a provider does everything wrong: memory, stops and followers: [--rounds N] [--followers N]',
    builds: ['web', 'server'],
    programs: ['postgres'],
    bundle: 'test/load/ai-bench.ts',
  },
  'bench:backfills': {
    says: 'backfills over many jobs, whole and killed on the way, on both databases: [--jobs N] [--only pglite|postgres] [--kind NAME]…',
    programs: ['postgres'],
    bundle: 'test/load/backfills-bench.ts',
    beside: ['test/load/backfills-work.ts'],
  },
  'bench:cases': {
    says: 'pages of the list of cases, on a PostgreSQL server: [--cases N] [--jobs N] [--runs N]',
    programs: ['postgres'],
    bundle: 'test/load/cases-bench.ts',
  },
  'bench:intel': {
    says: 'searches, pages and storing of entities, on both databases: [--entities N] [--runs N] [--only pglite|postgres] [--part NAME]…',
    programs: ['postgres'],
    bundle: 'test/load/intel-bench.ts',
  },
  'bench:jobs': {
    says: 'pages of the jobs list, on both databases: [--jobs N]… [--runs N] [--only pglite|postgres]',
    programs: ['postgres'],
    bundle: 'test/load/jobs-bench.ts',
  },
  'bench:memory': {
    says: 'memory and time that large event logs take: [--megabytes N] [--threads N]',
    bundle: 'test/load/memory-bench.ts',
  },
  'bench:partitions': {
    says: 'findings in one table against a table of each month: [--months N] [--jobs N a month] [--findings N a job] [--runs N]',
    programs: ['postgres'],
    bundle: 'test/load/partitions-bench.ts',
  },
  'bench:peers': {
    says: 'how long other programs take on the same logs and rules: [FILE.evtx …] [--runs N] [--only NAME]…',
    builds: ['cli'],
    bundle: 'test/load/peers-bench.ts',
    beside: ['test/load/peers-parse.ts'],
  },
  'bench:queue': {
    says: 'event logs through the AWS mode, over LocalStack: [--files N] [--workers N]',
    installs: ['infra'],
    builds: ['web', 'server', 'worker'],
    programs: ['s3', 'dynamodb', 'postgres', 'redis'],
    mustFind: true,
    bundle: 'test/load/queue-bench.ts',
  },
  'bench:space': {
    says: 'what real logs leave in the database and the object store, and how long their reports take: [FOLDER|FILE …] [--rules FOLDER]… [--most N] [--runs N]',
    programs: ['postgres'],
    bundle: 'test/load/space-bench.ts',
    beside: ['shared/adapters/local/digest-thread.ts', 'shared/adapters/local/engine-thread.ts'],
  },
  'bench:report': {
    says: 'the page of a job with very many findings, in headless Chromium: [--rules N] [--events N]',
    builds: ['server', 'web'],
    programs: ['chromium'],
    bundle: 'test/load/report-bench.ts',
  },
  'bench:resident': {
    says: 'memory of the product, idle and after many jobs: [--jobs N] [--idle SECONDS]',
    builds: ['web', 'server'],
    bundle: 'test/load/resident-bench.ts',
  },
  'bench:graph': {
    says: 'the graph of an entity with many nodes, in headless Chromium: [--nodes N] [--edges N]',
    builds: ['server', 'web'],
    programs: ['chromium'],
    bundle: 'test/load/graph-bench.ts',
  },
  'bench:offline': {
    says: 'look-ups of addresses and of known hashes in files: [--hashes N] [--networks N]',
    bundle: 'test/load/offline-bench.ts',
    beside: ['shared/adapters/local/digest-thread.ts'],
  },
  'bench:walk': {
    says: 'clicks and seconds to six questions about forty logs, in headless Chromium: [--files N] [--url ADDRESS]',
    builds: ['server', 'web'],
    programs: ['chromium'],
    bundle: 'test/load/walk-bench.ts',
  },
};
