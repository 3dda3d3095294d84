import { list, table, text, type Chapter } from './blocks.ts';

/** What models are told, what they answer, and how far that can be trusted. */
export const aiChapter: Chapter = {
  id: 'ai',
  title: 'AI analysis',
  blocks: [
    text(
      'The tab AI analysis of a job or a case asks a language model what its findings come to. It is there while an administrator has switched on `show_ai_analysis` in the settings and set up a provider. Members start runs; whoever can open the job reads the answers, and a case’s answers are read by those who see every job that they were written from.',
    ),
    list(
      'Choose a provider and press Ask. The answer appears as it is written, also after the page was left and opened again. Stop ends a run within seconds; nothing of it is kept then.',
      'Every run stays until somebody deletes it: administrators any, others their own, also several at once. The 20 newest are listed. When a run ends, the bell tells those who watch the job, also who started it, and leads to the run.',
      'Copy and Download give the answer as Markdown.',
      'A run that never reported back has lost its worker. Stop closes it off; start another one.',
    ),
    text(
      'What is sent is a brief of what the report shows: job, totals, tactics, heuristics, the most frequent names of each type, and up to 40 findings, the worst first, with up to three sample events each. Of an event only fields that tell what was done, by whom and where are sent. The log itself is never sent. What does not fit is left out whole, and the brief says so. Administrators and whoever started the run see under What was sent the very text, where the setting `show_ai_prompt` is on.',
    ),
    text(
      'For a provider outside your network, names of your hosts, accounts and domains, private addresses, and secrets on command lines leave as stand-ins such as `ANON-HOST-001A`, also within paths, shares, full names, account names and encoded commands. They come back as names in the answer. What attackers bring along stays as it is: public addresses and domains, hashes, file names, tools. An address or a domain that is public and yours is hidden, too, once its entity has the tag `internal`. What the product does not know as yours it cannot hide: look at What was sent before you rely on it.',
    ),
    table(
      ['dotted line', 'In evidence: the report has this value. Follow it to its finding, its events or its page.'],
      [
        'wavy line, not in evidence',
        'It looks like a host, an account, an address, a hash, a file, a domain, a technique, a CVE or a finding, and the report does not show it. It may be advice, a slip, or made up: check before you act on it.',
      ],
      ['no line', 'Nothing that could be held against the evidence.'],
    ),
    text(
      'That a value is in evidence does not make the sentence around it true. Logs hold text that attackers wrote, which may try to tell the model what to say; the model is told to report that, and may fail to. So nothing in an answer can be clicked but values of your own evidence: addresses are shown and lead nowhere, pictures are never loaded, and HTML is shown as text.',
    ),
    text(
      'Administrators set up a provider under Admin, AI: its kind (`openai` for the chat-completions shape, which self-hosted servers speak as well, or `anthropic`), the base address without the path of the call, the model, and a token, which is stored encrypted and never shown again. Test has it say one word. The longest brief, the longest answer and the time limit are the provider’s own; a system prompt of its own replaces the one of the product, which asks for a verdict with its confidence, the detections that matter, likely false positives, next steps, names to search for, and what is not known. Whether names leave as stand-ins is decided by the address, unless the provider says it.',
    ),
  ],
};
