import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { RelatedBody } from '#api/records.ts'
import type { DropdownOption } from '#web/kit/dropdown/option.tsx'
import { SearchDropdown } from '#web/kit/dropdown/search-dropdown.tsx'
import { framePropsOf } from '../frame-props.ts'
import type { InputProps } from '../part-props.ts'
import { UNTITLED } from '../record-title.ts'
import { recordSearch } from './search-records.ts'

const optionOf = ({ id, title }: RelatedBody): DropdownOption => ({ value: id, label: title === '' ? UNTITLED : title })
const relatedOf = ({ value, label }: DropdownOption): RelatedBody => ({ id: value, title: label })

/** Points at records of another collection, found by the server while one types. */
export function RelationInput(props: InputProps<'relation'>) {
  const { field, value, onChange, onDone, readOnly } = props
  const { collection, many } = field.options
  const queryClient = useQueryClient()
  const search = useMemo(() => recordSearch(queryClient, collection), [queryClient, collection])
  const change = (options: readonly DropdownOption[]) => {
    onChange(options.map(relatedOf))
    onDone?.()
  }
  const shared = {
    ...framePropsOf(props),
    search,
    placeholder: many ? 'Find records' : 'Find a record',
    readOnly: readOnly ?? false,
  }
  const options = value.map(optionOf)
  return many ? (
    <SearchDropdown {...shared} multiple value={options} onChange={change} />
  ) : (
    <SearchDropdown {...shared} value={options[0] ?? null} onChange={(option) => change(option ? [option] : [])} />
  )
}
