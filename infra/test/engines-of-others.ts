const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

/** Two engines as an operator may have them, in images of a registry of the account and of another. */
export const enginesOfOthers = {
  'evtx-timeline': {
    image: `111111111111.dkr.ecr.eu-central-1.amazonaws.com/hayabusa@${digest}`,
    cpu: 2048,
    memoryMiB: 8192,
    ephemeralStorageGiB: 50,
  },
  'sigma-text': { image: `registry.example.org/chopchopgo@${digest}`, maxTasks: 7 },
};
