import type { MantineColorsTuple } from '@mantine/core'

/** The twelve hues a choice or a state may wear, in the order a colour picker shows them. */
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

/** The name of one hue, as it is stored with a choice. */
export type OptionHue = (typeof OPTION_HUES)[number]

/** The three colours a choice is drawn with, as CSS values that follow the colour scheme. */
export type OptionColors = {
  /** For its words; at least 4.5 : 1 on `tint`. */
  readonly text: string
  /** For the ground behind its words. */
  readonly tint: string
  /** For the dot that goes with the words, so that colour never speaks alone; at least 3 : 1 on `tint`. */
  readonly dot: string
}

/** Whether a stored name is one of the twelve hues. */
function isOptionHue(name: string): name is OptionHue {
  return OPTION_HUES.some((hue) => hue === name)
}

/** The colours of a choice by the name stored with it; a name nobody knows any more is drawn gray. */
export function optionColors(name: string | null | undefined): OptionColors {
  const hue = name && isOptionHue(name) ? name : 'gray'
  return {
    text: `var(--choice-${hue}-text)`,
    tint: `var(--choice-${hue}-tint)`,
    dot: `var(--choice-${hue}-dot)`,
  }
}

/** The colours a component may be given by name: what a thing means, never how it looks. */
export type SemanticColor = 'primary' | 'danger' | 'warning' | 'success' | 'gray'

declare module '@mantine/core' {
  // Narrows every `color` prop of Mantine to our words, so that no stock colour can be asked for.
  export interface MantineThemeColorsOverride {
    colors: Record<SemanticColor | 'dark', MantineColorsTuple>
  }
}

const SEMANTIC: readonly SemanticColor[] = ['primary', 'danger', 'warning', 'success', 'gray']

/** Whether a colour name is one of ours. */
export function isSemanticColor(name: string | undefined): name is SemanticColor {
  return SEMANTIC.some((color) => color === name)
}

/** The CSS values of one semantic colour; each pair that meets on screen is AA in both schemes (tokens.test.ts). */
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
