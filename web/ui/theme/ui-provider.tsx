import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import type { ReactNode } from 'react'
import { resolveCssVariables } from './css-variables.ts'
import './ui.css'
import { theme } from './theme.ts'

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
