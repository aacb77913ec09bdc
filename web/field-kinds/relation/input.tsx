import { ActionIcon, Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { RelatedBody, PersonBody } from '#api/records.ts'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'
import { SearchDropdown } from '#web/ui/dropdown/search-dropdown.tsx'
import { IconArrowUpRight } from '#web/ui/icons/later.ts'
import { t } from '#web/i18n/t.ts'
import { recordPath, useFollow } from '#web/shared/navigation/app-link.tsx'
import { inputFrameProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import { recordSearch, searchPeople } from '#web/shared/lookups/search-options.ts'
import { useCreateLinked } from './use-create-linked.tsx'
import '../field-kinds.css'

const optionOf = ({ id, title }: RelatedBody): DropdownOption => ({ value: id, label: title === '' ? UNTITLED : title })
const relatedOf = ({ value, label }: DropdownOption): RelatedBody => ({ id: value, title: label })

export function RelationInput(props: InputProps<'relation'>) {
  const { field, value, onChange, onDone, readOnly } = props
  const { collection, many } = field.options
  const queryClient = useQueryClient()
  const search = useMemo(() => recordSearch(queryClient, collection), [queryClient, collection])
  const { create, dialog } = useCreateLinked(collection, true)
  const change = (options: readonly DropdownOption[]) => {
    onChange(options.map(relatedOf))
    onDone?.()
  }
  const shared = {
    ...inputFrameProps(props),
    search,
    onCreate: readOnly === true ? undefined : create,
    placeholder: many ? t('Find records') : t('Select a record'),
    readOnly: readOnly ?? false,
  }
  const options = value.map(optionOf)
  return (
    <div className="relation-input">
      {many ? (
        <SearchDropdown {...shared} multiple value={options} onChange={change} />
      ) : (
        <SearchDropdown {...shared} value={options[0] ?? null} onChange={(option) => change(option ? [option] : [])} />
      )}
      <OpenRelated collection={collection} options={options} />
      {dialog}
    </div>
  )
}

type OpenRelatedProps = { readonly collection: string; readonly options: readonly DropdownOption[] }

/** Links to the related records: directly to a single record, or to a list of several. */
function OpenRelated({ collection, options }: OpenRelatedProps) {
  const follow = useFollow()
  const [only, second] = options
  if (only === undefined) return null
  const icon = <IconArrowUpRight size={16} stroke={1.5} aria-hidden />
  if (second === undefined) {
    return (
      <ActionIcon
        component="a"
        size="sm"
        className="relation-open"
        href={recordPath(collection, only.value)}
        onClick={follow}
        aria-label={t('Open {label}', { label: only.label })}
      >
        {icon}
      </ActionIcon>
    )
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="sm" className="relation-open" aria-label={t('Open a linked record')}>
          {icon}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className="relation-menu">
        {options.map(({ value, label }) => (
          <Menu.Item key={value} component="a" href={recordPath(collection, value)} onClick={follow}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const personOption = ({ id, name }: PersonBody): DropdownOption => ({ value: id, label: name })
const personOfOption = ({ value, label }: DropdownOption): PersonBody => ({ id: value, name: label })

export function UserInput(props: InputProps<'user'>) {
  const { field, value, onChange, onDone, readOnly } = props
  const change = (options: readonly DropdownOption[]) => {
    onChange(options.map(personOfOption))
    onDone?.()
  }
  const shared = { ...inputFrameProps(props), search: searchPeople, readOnly: readOnly ?? false }
  const options = value.map(personOption)
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
