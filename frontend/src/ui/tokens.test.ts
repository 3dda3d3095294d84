// oxlint-disable-next-line no-restricted-imports -- a test may read the style sheet that it checks
import { readFileSync } from 'node:fs';
import { severities, tactics } from '@svc/domain';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

const schemes = ['dark', 'light'] as const;

function tokensOf(scheme: string): Map<string, string> {
  const block = new RegExp(`\\[data-mantine-color-scheme='${scheme}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  return new Map([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map((m) => [m[1]!, m[2]!]));
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

describe.each(schemes)('colours of the %s scheme', (scheme) => {
  const tokens = tokensOf(scheme);
  const ratio = (one: string, other: string) => contrast(tokens.get(one) ?? '', tokens.get(other) ?? '');

  const text = ['text', 'text-soft', 'text-faint', 'accent', 'good', 'warn', 'bad', ...severities];
  const pairs = [
    ...text.flatMap((name) => ['bg', 'surface', 'raised'].map((ground) => [name, ground] as const)),
    ...['text', 'text-soft', 'accent'].map((name) => [name, 'hover'] as const),
    ...['text', 'text-soft', 'accent'].map((name) => [name, 'accent-wash'] as const),
    ...severities.map((name) => [name, `${name}-wash`] as const),
    ...['good', 'warn', 'bad'].map((name) => [name, `${name}-wash`] as const),
    ['on-accent', 'accent-fill'] as const,
    ['on-accent', 'accent-fill-hover'] as const,
    ['match-text', 'match'] as const,
    ...['code-key', 'code-text', 'code-number', 'code-comment'].map((name) => [name, 'surface'] as const),
  ];
  it.each(pairs)('%s is readable on %s (4.5:1)', (name, ground) => {
    expect(ratio(name, ground)).toBeGreaterThanOrEqual(4.5);
  });

  const shapes = [...severities.map((name) => `${name}-fill`), ...tactics.map((name) => `tactic-${name}`), 'focus'];
  it.each(shapes)('%s stands out from a surface (3:1)', (name) => {
    expect(ratio(name, 'surface')).toBeGreaterThanOrEqual(3);
  });
});
