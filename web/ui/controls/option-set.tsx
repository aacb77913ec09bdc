import type { ReactNode } from 'react'
import './option-set.css'

type OptionSetProps = {
  /** What is chosen; read out before each choice. */
  readonly legend: string
  /** In as many columns as there is room for, where choices are many and short. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** Checkboxes or radio buttons that belong together, under a name of their own. */
export const OptionSet = ({ legend, isWide = false, children }: OptionSetProps) => (
  <fieldset className="choice-set" data-wide={isWide || undefined}>
    <legend>{legend}</legend>
    <div>{children}</div>
  </fieldset>
)
