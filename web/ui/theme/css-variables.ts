import type { CSSVariablesResolver } from '@mantine/core'
import { type SemanticColor, semanticColorValues } from './colors/semantic-colors.ts'

const COLORS: readonly SemanticColor[] = ['primary', 'danger', 'warning', 'success', 'gray']

function variablesOf(color: SemanticColor): Record<string, string> {
  const values = semanticColorValues(color)
  const prefix = `--mantine-color-${color}`
  return {
    [`${prefix}-text`]: values.text,
    // Menus colour their dangerous items with the sixth step, whatever the scheme.
    [`${prefix}-6`]: values.base,
    [`${prefix}-filled`]: values.base,
    [`${prefix}-filled-hover`]: values.baseHover,
    [`${prefix}-contrast`]: values.onBase,
    [`${prefix}-light`]: values.tint,
    [`${prefix}-light-hover`]: values.tintHover,
    [`${prefix}-light-color`]: values.text,
    [`${prefix}-outline`]: values.border,
    [`${prefix}-outline-hover`]: values.tint,
  }
}

function schemeVariables(): Record<string, string> {
  return Object.assign({}, ...COLORS.map(variablesOf), {
    '--mantine-primary-color-contrast': 'var(--on-primary)',
    '--mantine-color-bright': 'var(--ink)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-body': 'var(--paper)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-success': 'var(--success)',
    '--mantine-color-placeholder': 'var(--muted)',
    '--mantine-color-anchor': 'var(--primary)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--hairline-strong)',
    '--mantine-color-dimmed': 'var(--muted)',
    '--mantine-color-disabled': 'var(--sunken)',
    '--mantine-color-disabled-color': 'var(--disabled-ink)',
    '--mantine-color-disabled-border': 'var(--hairline)',
  })
}

/** Hands our tokens to Mantine under the names its styles read; the tokens themselves know light from dark. */
export const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeVariables(),
  dark: schemeVariables(),
})
