import type { OptionsProps } from '#web/field-kinds/value-highlights.tsx'
import { TextOptionsForm } from '#web/field-kinds/text/options.tsx'

/** How long it may be, and what form it must have besides its own. */
export function UrlOptionsForm(props: OptionsProps<'url'>) {
  return <TextOptionsForm {...props} />
}
