import { type CSSVariablesResolver, localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import type { ReactNode } from 'react'
import './ui.css'
import { theme } from './theme.ts'
import { type SemanticColor, semanticColorValues } from './colors/colors.ts'

const COLORS: readonly SemanticColor[] = ['primary', 'danger', 'warning', 'success', 'gray']

function variablesOf(color: SemanticColor): Record<string, string> {
  const values = semanticColorValues(color)
  const prefix = `--mantine-color-${color}`
  return {
    [`${prefix}-text`]: values.text,
    // Mantine uses the sixth shade for the color of dangerous menu items, regardless of the color scheme.
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

/** Maps design tokens to the CSS variables that Mantine uses. */
const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeVariables(),
  dark: schemeVariables(),
})

const COLOR_SCHEME_STORAGE_KEY = 'color-scheme'

const colorSchemeManager = localStorageColorSchemeManager({ key: COLOR_SCHEME_STORAGE_KEY })

/** The CSP nonce for style elements, written by the server; empty if the page has none. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
}

// Dialogs lock scrolling with their own style element, which needs the same nonce.
setNonce(styleNonce())

export type UiProviderProps = {
  readonly children: ReactNode
}

/**
 * Applies the theme in the system's color scheme, or the scheme set with `useMantineColorScheme`. Tokens follow the
 * system without JavaScript, so no inline script is needed.
 */
export function UiProvider({ children }: UiProviderProps) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      cssVariablesResolver={resolveCssVariables}
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  )
}
