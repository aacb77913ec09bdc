import type { PersonBody } from '#api/records.ts'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'
import { SearchDropdown } from '#web/ui/dropdown/search-dropdown.tsx'
import { t } from '#web/i18n/t.ts'
import { inputFrameProps } from '#web/field-kinds/input-frame.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'
import { searchPeople } from '#web/shared/lookups/search-options.ts'

const optionOf = ({ id, name }: PersonBody): DropdownOption => ({ value: id, label: name })
const personOf = ({ value, label }: DropdownOption): PersonBody => ({ id: value, name: label })

export function UserInput(props: InputProps<'user'>) {
  const { field, value, onChange, onDone, readOnly } = props
  const change = (options: readonly DropdownOption[]) => {
    onChange(options.map(personOf))
    onDone?.()
  }
  const shared = { ...inputFrameProps(props), search: searchPeople, readOnly: readOnly ?? false }
  const options = value.map(optionOf)
  return field.options.many ? (
    <SearchDropdown {...shared} multiple value={options} onChange={change} placeholder={t('Select people')} />
  ) : (
    <SearchDropdown
      {...shared}
      value={options[0] ?? null}
      onChange={(option) => change(option ? [option] : [])}
      placeholder={t('Select a person')}
    />
  )
}
