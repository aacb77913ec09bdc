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
const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeVariables(),
  dark: schemeVariables(),
})

/** Where the chosen colour scheme is kept in the browser's local storage: `light`, `dark` or `auto`. */
const COLOR_SCHEME_STORAGE_KEY = 'color-scheme'

const colorSchemeManager = localStorageColorSchemeManager({ key: COLOR_SCHEME_STORAGE_KEY })

/** The nonce the server wrote into the page for style elements; empty where the page has none. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
}

// Dialogs lock the page's scrolling with a style element of their own, which needs the same nonce.
setNonce(styleNonce())

/** What the look of the app needs around it; stands once, outermost. */
export type UiProviderProps = {
  readonly children: ReactNode
}

/**
 * Gives everything inside it our look, in the colour scheme of the system or the one chosen with Mantine's
 * `useMantineColorScheme`. Tokens follow the system before any script runs, so no inline script is needed.
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
