import type { OptionsProps } from '../part-props.ts'
import { TextOptionsForm } from '../text/options.tsx'

/** How long it may be, and what form it must have besides its own. */
export function UrlOptionsForm(props: OptionsProps<'url'>) {
  return <TextOptionsForm {...props} />
}
