import type { OptionsProps } from '#web/field-kinds/kind-props.ts'
import { TextOptionsForm } from '#web/field-kinds/text/options.tsx'

/** The same as for one line. */
export function LongTextOptionsForm(props: OptionsProps<'long-text'>) {
  return <TextOptionsForm {...props} />
}
