import type { ReactNode } from 'react'
import { optionColors } from '#web/ui/theme/colors/colors.ts'
import '../field-kinds.css'

/** The dot ensures that color isn't the only cue. */
export function OptionChip({ name, color }: { readonly name: ReactNode; readonly color: string }) {
  const { text, tint, dot } = optionColors(color)
  return (
    <span className="choice-chip" style={{ background: tint, color: text }}>
      <span className="choice-dot" style={{ background: dot }} aria-hidden />
      <span className="choice-name">{name}</span>
    </span>
  )
}
