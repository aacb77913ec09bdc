import type { OptionsProps } from '../part-props.ts'
import { TextOptionsForm } from '../text/options.tsx'

/** The same as for one line. */
export function LongTextOptionsForm(props: OptionsProps<'long-text'>) {
  return <TextOptionsForm {...props} />
}
