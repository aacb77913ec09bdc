import type { ReactNode } from 'react'

export type FactorPanelProps = {
  readonly onRecoveryCodes: (codes: readonly string[]) => void
  readonly onChanged: () => void
  /** The last factor stays, because the password is too short without it. */
  readonly onPasswordShort: () => void
  readonly notice: ReactNode
}
