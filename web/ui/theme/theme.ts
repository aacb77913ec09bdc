import { createTheme, rem } from '@mantine/core'
import { COMPONENT_DEFAULTS } from './component-defaults.ts'
import { PALETTES } from './colors/palettes.ts'
import { resolveVariantColors } from './colors/variant-colors.ts'

const FONT_UI = 'var(--font-ui)'

/** Mantine's theme with our letters, sizes, radii, palettes and defaults; colours on screen come from tokens.css. */
export const theme = createTheme({
  colors: PALETTES,
  primaryColor: 'primary',
  primaryShade: { light: 7, dark: 4 },
  variantColorResolver: resolveVariantColors,
  white: '#ffffff',
  black: '#1c1b19',
  cursorType: 'pointer',
  respectReducedMotion: true,
  defaultRadius: 'sm',
  fontFamily: FONT_UI,
  fontFamilyMonospace: 'var(--font-code)',
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  // 14 is the body of the app and 16 the body of a document; 13 is written out where it is wanted.
  fontSizes: { xs: rem(12), sm: rem(14), md: rem(16), lg: rem(20), xl: rem(28) },
  lineHeights: { xs: '1.35', sm: '1.35', md: '1.35', lg: '1.5', xl: '1.5' },
  spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(24), xl: rem(32) },
  radius: { xs: rem(4), sm: rem(6), md: rem(10), lg: rem(14), xl: rem(20) },
  shadows: {
    xs: 'none',
    sm: 'none',
    md: 'var(--shadow-float)',
    lg: 'var(--shadow-float)',
    xl: 'var(--shadow-float)',
  },
  headings: {
    fontFamily: FONT_UI,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(28), lineHeight: '1.25' },
      h2: { fontSize: rem(20), lineHeight: '1.3' },
      h3: { fontSize: rem(16), lineHeight: '1.35' },
      h4: { fontSize: rem(14), lineHeight: '1.35' },
      h5: { fontSize: rem(13), lineHeight: '1.35' },
      h6: { fontSize: rem(12), lineHeight: '1.35' },
    },
  },
  components: COMPONENT_DEFAULTS,
})
