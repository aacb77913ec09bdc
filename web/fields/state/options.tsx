import { t } from '#web/language/t.ts'
import type { OptionsProps } from '../part-props.ts'
import { SelectOptionsForm } from '../select/options.tsx'

/** The states a record may stand in; new records begin with the first unless there is a default. */
export function StateOptionsForm(props: OptionsProps<'state'>) {
  return <SelectOptionsForm {...props} label={t('States')} error={props.errorAt('options.choices')} />
}
