import type { ReactNode } from 'react'
import './option-set.css'

type OptionSetProps = {
  readonly legend: string
  readonly isWide?: boolean
  readonly children: ReactNode
}

export const OptionSet = ({ legend, isWide = false, children }: OptionSetProps) => (
  <fieldset className="choice-set" data-wide={isWide || undefined}>
    <legend>{legend}</legend>
    <div>{children}</div>
  </fieldset>
)
