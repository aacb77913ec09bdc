import type { OptionsProps } from '../part-props.ts'
import { TextOptionsForm } from '../text/options.tsx'

/** How long it may be, and what form it must have besides its own. */
export function EmailOptionsForm(props: OptionsProps<'email'>) {
  return <TextOptionsForm {...props} />
}
