import type { OptionsProps } from '../part-props.ts'
import { TextOptionsForm } from '../text/options.tsx'

/** How long it may be, and what form it must have besides its own. */
export function PhoneOptionsForm(props: OptionsProps<'phone'>) {
  return <TextOptionsForm {...props} />
}
