import { RequestError } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { fieldText, refusalAt } from './form-fields.ts';

describe('refusalAt', () => {
  const taken = new RequestError(409, { detail: 'Taken.', code: 'email_taken', request_id: 'r1' });

  it('gives the words of a refusal to the field that it is about, and to no other', () => {
    expect(refusalAt(taken, 'bad_request', 'email_taken')).toBe('Taken.');
    expect(refusalAt(taken, 'weak_password')).toBeUndefined();
    expect(refusalAt(new Error('email_taken'), 'email_taken')).toBeUndefined();
    expect(refusalAt(null, 'email_taken')).toBeUndefined();
  });
});

describe('fieldText', () => {
  it('reads text alone', () => {
    const form = new FormData();
    form.set('name', 'Ada');
    form.set('file', new Blob(['x']));
    expect(['name', 'file', 'other'].map((name) => fieldText(form, name))).toEqual(['Ada', '', '']);
  });
});
