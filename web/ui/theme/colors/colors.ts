import type { MantineColorsTuple } from '@mantine/core'

export const OPTION_HUES = [
  'gray',
  'red',
  'orange',
  'amber',
  'olive',
  'green',
  'teal',
  'cyan',
  'blue',
  'indigo',
  'violet',
  'pink',
] as const

export type OptionHue = (typeof OPTION_HUES)[number]

export type OptionColors = {
  /** Text color with a contrast of at least 4.5:1 on `tint`. */
  readonly text: string
  readonly tint: string
  /**
   * Color of the dot next to the text, with a contrast of at least 3:1 on `tint`; the dot ensures that color isn't the
   * only cue.
   */
  readonly dot: string
}

function isOptionHue(name: string): name is OptionHue {
  return OPTION_HUES.some((hue) => hue === name)
}

export function optionColors(name: string | null | undefined): OptionColors {
  const hue = name && isOptionHue(name) ? name : 'gray'
  return {
    text: `var(--choice-${hue}-text)`,
    tint: `var(--choice-${hue}-tint)`,
    dot: `var(--choice-${hue}-dot)`,
  }
}

export type SemanticColor = 'primary' | 'danger' | 'warning' | 'success' | 'gray'

declare module '@mantine/core' {
  export interface MantineThemeColorsOverride {
    colors: Record<SemanticColor | 'dark', MantineColorsTuple>
  }
}

const SEMANTIC: readonly SemanticColor[] = ['primary', 'danger', 'warning', 'success', 'gray']

export function isSemanticColor(name: string | undefined): name is SemanticColor {
  return SEMANTIC.some((color) => color === name)
}

/** CSS values of a semantic color; every pair in use meets WCAG AA in both color schemes (see tokens.test.ts). */
export function semanticColorValues(color: SemanticColor) {
  if (color === 'gray') {
    return {
      base: 'var(--muted)',
      baseHover: 'var(--ink)',
      onBase: 'var(--paper)',
      tint: 'var(--hover)',
      tintHover: 'var(--pressed)',
      text: 'var(--ink)',
      border: 'var(--hairline-strong)',
    }
  }
  return {
    base: `var(--${color})`,
    baseHover: `var(--${color}-hover)`,
    onBase: `var(--on-${color})`,
    tint: `var(--${color}-tint)`,
    tintHover: `var(--${color}-tint-hover)`,
    text: `var(--${color})`,
    border: `var(--${color})`,
  }
}
