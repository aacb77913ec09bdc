import type { OptionsProps } from '#web/field-kinds/value-highlights.tsx'
import { TextOptionsForm } from '#web/field-kinds/text/options.tsx'

/** The same as for one line. */
export function LongTextOptionsForm(props: OptionsProps<'long-text'>) {
  return <TextOptionsForm {...props} />
}
