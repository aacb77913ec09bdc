import { ActionIcon, Input } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { relationOf } from '#domain/collections/reverse-side.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { inputFrameProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { useCreateLinked } from '#web/field-kinds/relation/use-create-linked.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { isWritable } from '#web/shared/fields/editable-cells.ts'
import { recordTitle, valueText } from '#web/shared/fields/record-title.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { recordSearch } from '#web/shared/lookups/search-options.ts'
import { AppLink, recordPath } from '#web/shared/navigation/app-link.tsx'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { SearchDropdown } from '#web/ui/dropdown/search-dropdown.tsx'
import { IconX } from '#web/ui/icons/later.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { changeLink, type Linking, linkedListPath, linkedRecordsQuery, restoreLink, shownFields } from './links.ts'
import './linked-records.css'

/** The records that link to a record. Linking and unlinking changes the relation in those records. */
export function ReverseInput(props: InputProps<'reverse'>) {
  const { field, place, readOnly } = props
  const linking = useLinking(field, place)
  if (!linking) return null
  return (
    <Input.Wrapper {...inputFrameProps(props)} required={false} labelElement="div" className="linked-records">
      <LinkedRecords linking={linking} label={field.label} readOnly={readOnly === true} />
    </Input.Wrapper>
  )
}

/** Undefined while the collections are loaded, and if the user can't see the relation. */
function useLinking(
  field: Field<'reverse'>,
  { collection: target, record }: InputProps<'reverse'>['place'],
): Linking | undefined {
  const { data } = useQuery(collectionsQuery)
  return useMemo(() => {
    const body = data?.find(({ id }) => id === field.options.collection)
    const source = body && typedCollection(body)
    const relation = source && relationOf(field, source)
    return relation && record !== undefined ? { source, relation, record, target } : undefined
  }, [data, field, record, target])
}

type LinkedRecordsProps = { readonly linking: Linking; readonly label: string; readonly readOnly: boolean }

function LinkedRecords({ linking, label, readOnly }: LinkedRecordsProps) {
  const { source, relation } = linking
  const { data } = useQuery(linkedRecordsQuery(linking))
  const { link, unlink } = useLinkChanges(linking)
  const count = data?.total ?? 0
  const mayLink = source.can.includes('records:update') && source.closed?.[relation.name]?.update === undefined
  return (
    <>
      {data?.items.length === 0 && <p className="linked-none">{t('No linked records')}</p>}
      {data && data.items.length > 0 && (
        <ul className="linked-list" aria-label={label}>
          {data.items.map((record) => (
            <LinkedRecord
              key={record.id}
              linking={linking}
              record={record}
              onUnlink={readOnly || !isWritable(source, relation, record) ? undefined : unlink}
            />
          ))}
        </ul>
      )}
      <div className="linked-foot">
        {mayLink && !readOnly && <LinkPicker linking={linking} onLink={link} label={label} />}
        {count > 0 && (
          <AppLink href={linkedListPath(linking)} className="linked-all">
            {plural(count, 'Open {n} record as a list', 'Open all {n} records as a list')}
          </AppLink>
        )}
      </div>
    </>
  )
}

type LinkedRecordProps = {
  readonly linking: Linking
  readonly record: RecordListItem
  readonly onUnlink: ((id: string, title: string) => void) | undefined
}

function LinkedRecord({ linking, record, onUnlink }: LinkedRecordProps) {
  const { source } = linking
  const title = recordTitle(source, record)
  const details = shownFields(linking)
    .map((field) => valueText(field, record.values[field.name]))
    .filter((text) => text !== '')
  return (
    <li className="linked-record">
      <AppLink href={recordPath(source.name, record.id)} className="linked-title">
        {title}
      </AppLink>
      <span className="linked-details">{details.join(' · ')}</span>
      {onUnlink && (
        <ActionIcon size="sm" onClick={() => onUnlink(record.id, title)} aria-label={t('Unlink {title}', { title })}>
          <IconX size={14} stroke={1.5} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

type LinkPickerProps = {
  readonly linking: Linking
  readonly label: string
  readonly onLink: (id: string, title: string) => void
}

/** Finds a record to link, or creates one that is linked. */
function LinkPicker({ linking, label, onLink }: LinkPickerProps) {
  const { source, relation, record } = linking
  const queryClient = useQueryClient()
  const search = useMemo(() => recordSearch(queryClient, source.id), [queryClient, source.id])
  const link = relation.options.many ? [record] : record
  const { create, dialog } = useCreateLinked(source.id, true, { [relation.name]: link })
  return (
    <div className="linked-picker">
      <SearchDropdown
        ariaLabel={t('Link a record to {label}', { label })}
        placeholder={create ? t('Link or create a record') : t('Link a record')}
        search={search}
        // The new record is already linked.
        onCreate={create && ((text) => Promise.resolve(create(text)).then(() => undefined))}
        value={null}
        onChange={(option) => option && onLink(option.value, option.label)}
      />
      {dialog}
    </div>
  )
}

function useLinkChanges(linking: Linking) {
  const queryClient = useQueryClient()
  const change = (id: string, isLinked: boolean, said: string) =>
    changeLink(queryClient, linking, id, isLinked).then(
      (before) =>
        notify.success(said, {
          action: {
            label: t('Undo'),
            run: () =>
              void restoreLink(queryClient, linking, id, before).then(
                undefined,
                notifyFailure(t('Couldn’t undo the change')),
              ),
          },
        }),
      notifyFailure(t('Couldn’t change the link')),
    )
  return {
    link: (id: string, title: string) => void change(id, true, t('{title} linked', { title })),
    unlink: (id: string, title: string) => void change(id, false, t('{title} unlinked', { title })),
  }
}
