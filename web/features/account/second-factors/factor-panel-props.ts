import type { ReactNode } from 'react'

/** What the panels of the second factors share: what they tell the page, and what it says in them. */
export type FactorPanelProps = {
  readonly onRecoveryCodes: (codes: readonly string[]) => void
  /** A factor was added, changed or removed. */
  readonly onChanged: () => void
  /** The last factor stays, because the password is too short to stand alone. */
  readonly onPasswordShort: () => void
  /** Stands where one acts. */
  readonly notice: ReactNode
}
