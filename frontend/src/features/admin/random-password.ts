/** 32 characters that are not taken for each other, so that five bits choose one. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A password of 100 random bits, in groups that can be read out: `h3kqa-…`. */
export function randomPassword(): string {
  const all = [...crypto.getRandomValues(new Uint8Array(20))].map((byte) => letters[byte & 31]).join('');
  return all.match(/.{5}/g)?.join('-') ?? all;
}
