import {
  createTheme,
  localStorageColorSchemeManager,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';

const accent: MantineColorsTuple = [
  '#eceefd',
  '#d6d9fb',
  '#b5baf6',
  '#939af1',
  '#767eea',
  '#6169db',
  '#5a62d8',
  '#4f57cb',
  '#434bb8',
  '#363d99',
];

/** The neutral scale of the dark scheme, as Mantine orders it: text first, ground last. */
const dark: MantineColorsTuple = [
  '#e8ebef',
  '#b0b8c2',
  '#8b95a1',
  '#5d6672',
  '#3a424c',
  '#262b32',
  '#1b1f24',
  '#14171b',
  '#0c0e11',
  '#08090b',
];

/** Mantine's look, led back to our tokens (ui/tokens.css). */
export const theme = createTheme({
  colors: { accent, dark },
  primaryColor: 'accent',
  primaryShade: { dark: 6, light: 7 },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  lineHeights: { md: '1.4286' },
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  components: {
    Button: { defaultProps: { size: 'xs', fw: 500 } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 30 } },
  },
});

const shared = {
  '--mantine-color-body': 'var(--bg)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-soft)',
  '--mantine-color-placeholder': 'var(--text-faint)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-gray-light-color': 'var(--text-soft)',
  '--mantine-color-gray-light-hover': 'var(--hover)',
};

/** The same tokens in both schemes; they change their values themselves. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  // The track of a switch that is off.
  light: { ...shared, '--mantine-color-gray-3': 'var(--line-strong)' },
  dark: { ...shared, '--mantine-color-dark-5': 'var(--line-strong)' },
});

/** Kept under the key that public/color-scheme.js reads before the first paint. */
export const colorSchemes = localStorageColorSchemeManager({ key: 'svc-color-scheme' });
