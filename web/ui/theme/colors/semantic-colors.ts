import type { MantineColorsTuple } from '@mantine/core'

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
