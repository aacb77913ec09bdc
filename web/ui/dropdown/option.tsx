import { CheckIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import { optionColors } from '#web/ui/theme/colors/option-colors.ts'
import './dropdown.css'

/** One thing that can be chosen. */
export type DropdownOption = {
  /** Unique within one dropdown; a second option with the same value is left out. */
  readonly value: string
  readonly label: string
  /** A second, quieter line. */
  readonly description?: string
  /** One of the twelve hues; draws a dot before the label. */
  readonly hue?: string
  readonly disabled?: boolean
}

/** Options under a heading. */
export type DropdownGroup = { readonly group: string; readonly options: readonly DropdownOption[] }

/** The dot that carries a choice's colour. */
export function HueDot({ hue }: { hue: string }) {
  return <span className="hue-dot" style={{ background: optionColors(hue).dot }} aria-hidden />
}

/** How one option looks in an open list. */
export function OptionRow({ option, checked }: { option: DropdownOption; checked: boolean }): ReactNode {
  return (
    <span className="option-row">
      {option.hue !== undefined && <HueDot hue={option.hue} />}
      {option.description ? (
        <span className="option-words">
          <span>{option.label}</span>
          <span className="option-description">{option.description}</span>
        </span>
      ) : (
        // A list draws a thousand of these: a plain one is as few elements as it can be.
        <span className="option-words">{option.label}</span>
      )}
      {checked && <CheckIcon size={10} className="option-check" />}
    </span>
  )
}
