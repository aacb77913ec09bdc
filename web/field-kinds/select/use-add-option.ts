import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Field, SelectKind } from '#domain/fields/field.ts'
import { findOption } from '#domain/fields/select.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { t } from '#web/i18n/t.ts'
import { addOptions, untilShown } from '#web/shared/fields/add-options.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import type { CreateOption } from '#web/ui/dropdown/option.tsx'

type AddableField<Kind extends SelectKind> = {
  /** The current field; an open editor or form keeps the field that it was opened with. */
  readonly field: Field<Kind>
  /** Undefined for status fields and for users who can't change the collection's fields. */
  readonly add: CreateOption | undefined
}

/** Adds options that users type into a select field. */
export function useAddOption<Kind extends SelectKind>(collection: string, opened: Field<Kind>): AddableField<Kind> {
  const queryClient = useQueryClient()
  const { data: collections } = useQuery(collectionsQuery)
  const body = collections?.find(({ id, name }) => id === collection || name === collection)
  const current = useMemo(() => body && typedCollection(body).fields.find(({ id }) => id === opened.id), [body, opened])
  // The field's kind may have changed as well.
  const field = current?.kind === opened.kind ? (current as Field<Kind>) : opened
  const latest = useLatest<Field<SelectKind>>(field)
  if (field.kind === 'state' || !body?.can.includes('collections:manage')) return { field, add: undefined }

  const add = async (name: string) => {
    await addOptions(queryClient, body.id, field, [name])
    const added = () => findOption(latest.current, name)
    await untilShown(() => added() !== undefined)
    const option = added()
    return option && { value: option.name, label: option.name, hue: option.color }
  }
  const addOrNotify: CreateOption = (name) =>
    add(name).then(
      (option) => option,
      (error: unknown) => {
        notifyFailure(t('Couldn’t add “{name}”', { name }))(error)
        return undefined
      },
    )
  return { field, add: addOrNotify }
}
