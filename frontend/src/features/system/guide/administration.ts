import { code, list, table, text, type Chapter } from './blocks.ts';

/** What administrators look at first. */
export const administrationChapter: Chapter = {
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
