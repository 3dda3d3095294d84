import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

const ada = { email: 'ada@example.org', password: 'correct horse 1' };

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.keyboard.press('Enter');
}

describeInBrowser('accounts', ({ open, errors, server }) => {
  const adminPassword = () => /password\s+(\S+)/.exec(server().output())?.[1] ?? '';
  const openAsAdmin = async (path: string, view?: Parameters<typeof open>[1]) => {
    const page = await open(`/login?next=${path}`, view);
    await signIn(page, 'admin@localhost', adminPassword());
    await page.waitForURL((url) => url.pathname === path);
    return page;
  };

  it('says nothing of an error to a visitor, who is asked to sign in for the pages of accounts', async () => {
    const page = await open('/');
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.reload({ waitUntil: 'networkidle' });
    expect(complaints).toEqual([]);
    await page.getByRole('navigation', { name: 'Main' }).getByText('Sign in').waitFor();
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await page.goto(`${server().url}/admin/users`);
    await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, 'admin@localhost', adminPassword());
    await page.getByRole('heading', { name: 'Users' }).waitFor();
  });

  it('tells why signing in was refused, also where the answer says when to come back', async () => {
    const page = await open('/login');
    const detail = 'Too many requests; try again in 7 seconds';
    await page.route('**/auth/cookie/login', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '7' },
        json: { detail, code: 'rate_limited', request_id: 'r' },
      }),
    );
    await signIn(page, 'admin@localhost', 'right or wrong');
    await page.getByText(detail).waitFor();
  });

  it('lets an administrator create a user, who is told what is wrong at its field', async () => {
    const page = await openAsAdmin('/admin/users');
    await page.getByRole('button', { name: 'Create user' }).click();
    const dialog = page.getByRole('dialog');
    const create = dialog.getByRole('button', { name: 'Create user' });
    await dialog.getByLabel('E-mail').fill('admin@localhost');
    await dialog.getByRole('textbox', { name: 'Password' }).fill('short');
    await create.click();
    await dialog.getByText('must have at least 8 characters').waitFor();
    await dialog.locator('input[name=password]:focus').fill(ada.password);
    await create.click();
    await expect.poll(() => dialog.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('E-mail').fill(ada.email);
    await dialog.getByLabel('Role').selectOption('member');
    await create.click();
    await page.getByRole('row', { name: /ada@example\.org/ }).waitFor();
    expect(await page.getByRole('switch', { name: 'admin@localhost is active' }).isDisabled()).toBe(true);
  });

  it('shows the secret of a new token once, which then works until it is revoked', async () => {
    const page = await openAsAdmin('/admin/api-tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Collector on host 7');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Choose at least one').waitFor();
    await dialog.getByLabel('job:read').check();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('the only time').waitFor();
    const secret = await dialog.locator('code').first().innerText();
    const asked = () => fetch(`${server().url}/api/v1/jobs?ids=1`, { headers: { authorization: `Bearer ${secret}` } });
    expect((await asked()).status).toBe(200);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    const row = page.getByRole('row', { name: /Collector on host 7/ });
    await row.getByText('Active').waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click();
    await row.getByText('Revoked').waitFor();
    expect((await asked()).status).toBe(401);
  });

  it('lets the user change the password and sign in with the new one', async () => {
    const page = await open('/login?next=/account');
    await signIn(page, ada.email, ada.password);
    const section = page.getByRole('region', { name: 'Password' });
    await section.locator('input[name=password]').fill('battery staple 2');
    await section.getByRole('textbox', { name: 'Current password' }).fill('wrong');
    await section.getByRole('button', { name: 'Change password' }).click();
    await section.getByText('The current password is wrong').waitFor();
    await section.getByRole('textbox', { name: 'Current password' }).fill(ada.password);
    await section.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password was changed').waitFor();
    await signIn(page, ada.email, 'battery staple 2');
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto(`${server().url}/admin/users`);
    await page.getByRole('heading', { name: 'This page is for administrators' }).waitFor();
  });

  it('lists where the account is signed in, and signs the others out, by keyboard too', async () => {
    const elsewhere = await openAsAdmin('/account');
    const page = await openAsAdmin('/account', { width: 768, height: 1024, scheme: 'light' });
    const section = page.getByRole('region', { name: 'Sessions' });
    await section.getByText('This browser').waitFor();
    const others = section.getByRole('button', { name: /^Sign out Chrome/ });
    const before = await others.count();
    expect(before).toBeGreaterThan(0);
    await others.first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => others.count()).toBe(before - 1);
    await section.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await expect.poll(() => others.count()).toBe(0);
    await section.getByText('This browser').waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await elsewhere.reload();
    await elsewhere.getByRole('heading', { name: 'Sign in to continue' }).waitFor();
  });

  it('asks for the password again where the service wants it, over the dialog that goes on then', async () => {
    const page = await openAsAdmin('/admin/users');
    const problem = { detail: 'Give your password again', code: 'confirm_password', request_id: 'r' };
    // As a quarter of an hour after signing in.
    const refuseOnce = () =>
      page.route(
        (url) => url.pathname === '/admin/users',
        (route) =>
          route.request().method() === 'POST' ? route.fulfill({ status: 403, json: problem }) : route.continue(),
        { times: 1 },
      );
    await page.getByRole('button', { name: 'Create user' }).click();
    const create = page.getByRole('dialog', { name: 'Create a user' });
    await create.getByLabel('E-mail').fill('bob@example.org');
    await create.getByRole('textbox', { name: 'Password' }).fill(ada.password);
    const confirm = page.getByRole('dialog', { name: 'Is it you?' });
    await refuseOnce();
    await create.getByRole('button', { name: 'Create user' }).click();
    await confirm.locator('input[name=password]:focus').waitFor();
    await page.keyboard.press('Escape');
    await confirm.waitFor({ state: 'detached' });
    await create.getByText('Give your password again').waitFor();
    await refuseOnce();
    await create.getByRole('button', { name: 'Create user' }).click();
    await confirm.locator('input[name=password]').fill('wrong');
    await page.keyboard.press('Enter');
    await confirm.getByText('The current password is wrong').waitFor();
    await confirm.locator('input[name=password]').fill(adminPassword());
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /bob@example\.org/ }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(errors()).toEqual([]);
  });

  it('deletes a user after saying what becomes of the jobs and tokens', async () => {
    const page = await openAsAdmin('/admin/users');
    await page.getByRole('button', { name: `Delete ${ada.email}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Its jobs and their reports stay').waitFor();
    await dialog.getByText('no active API tokens').waitFor();
    await dialog.getByRole('button', { name: 'Delete user' }).click();
    await expect.poll(() => page.getByRole('row', { name: /ada@example\.org/ }).count()).toBe(0);
  });

  it('offers an account to analyse anew what was analysed before', async () => {
    const page = await openAsAdmin('/account');
    const jobs = page.waitForURL(/\/jobs\/\d+/, { timeout: 30_000 });
    await page.getByRole('link', { name: 'Submit' }).first().click();
    await page.getByText('Intrusion on a workstation (Sysmon)').click();
    await jobs;
    const first = new URL(page.url()).pathname;
    await page.getByText('Completed').first().waitFor({ timeout: 30_000 });
    await page.goto(`${server().url}${first}?dup=1&file_id=1&workflow_id=1`);
    await page.getByRole('button', { name: 'Analyse again' }).click();
    await page.waitForURL((url) => /\/jobs\/\d+$/.test(url.pathname) && url.pathname !== first && url.search === '');
  });

  it.each([
    ['/account', 1440, 'light'],
    ['/account', 768, 'dark'],
    ['/admin/users', 768, 'light'],
    ['/admin/api-tokens', 768, 'dark'],
  ] as const)('%s at %i px (%s) never scrolls sideways', async (path, width, scheme) => {
    const page = await openAsAdmin(path, { width, height: 1024, scheme });
    await page.waitForLoadState('networkidle');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(errors()).toEqual([]);
  });
});
