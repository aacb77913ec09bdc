import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { useCreateRecord } from '#web/data/queries/record-queries.ts'
import {
  missingFields,
  type RequiredBeforeCreate,
  requiredByRules,
  RequiredFieldsDialog,
} from '#web/field-kinds/new-record/required-fields-dialog.tsx'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { titleFieldOf, type TypedCollection, typedCollection } from '#web/shared/fields/typed-collection.ts'
import type { CreateOption, DropdownOption } from '#web/ui/dropdown/option.tsx'
import { notify } from '#web/ui/toast/notify.ts'

type ShownValues = { readonly [field: string]: unknown }

const NO_VALUES: ShownValues = {}
const NOTHING: RequiredBeforeCreate = { fields: [], reasons: [] }

/** The title field, if its text is stored as typed and the user can create records with it. */
export function creatableTitle(collection: TypedCollection): Field | undefined {
  const title = titleFieldOf(collection)
  const isTyped = title !== undefined && ['text', 'email', 'url', 'phone'].includes(title.kind)
  const mayCreate =
    collection.can.includes('records:create') && collection.closed?.[title?.name ?? '']?.create === undefined
  return isTyped && mayCreate ? title : undefined
}

type OpenForm = RequiredBeforeCreate & {
  readonly title: string
  readonly answer: (option: DropdownOption | undefined) => void
}

/**
 * Creates linked records by title, with the preset values. Other required fields are requested in a dialog; without a dialog, such records
 * can't be created.
 */
export function useCreateLinked(
  collectionId: string,
  canAsk: boolean,
  preset: ShownValues = NO_VALUES,
): { readonly create: CreateOption | undefined; readonly dialog: ReactNode } {
  const { data: collections } = useQuery(collectionsQuery)
  const body = collections?.find(({ id }) => id === collectionId)
  const collection = useMemo(() => body && typedCollection(body), [body])
  const { mutateAsync } = useCreateRecord(collection?.name ?? '')
  const [openForm, setOpenForm] = useState<OpenForm>()

  const title = collection && creatableTitle(collection)
  const isOpen = (field: Field): boolean => field !== title && !Object.hasOwn(preset, field.name)
  const missing = collection ? missingFields(collection, NOTHING).fields.filter(isOpen) : []
  if (!collection || !title || (missing.length > 0 && !canAsk)) return { create: undefined, dialog: null }

  const ask = ({ fields, reasons }: RequiredBeforeCreate, text: string) =>
    new Promise<DropdownOption | undefined>((answer) => {
      const others = fields.filter(isOpen)
      setOpenForm({ fields: [title, ...others], reasons, title: text, answer })
    })

  const optionOf = (record: RecordBody): DropdownOption => ({
    value: record.id,
    label: recordTitle(collection, record),
  })

  const create: CreateOption = (text) => {
    if (missing.length > 0) return ask({ fields: missing, reasons: [] }, text)
    return mutateAsync({ ...preset, [title.name]: text }).then(optionOf, (error: unknown) => {
      const required = requiredByRules(collection, error)
      if (canAsk && required.fields.length > 0) return ask(required, text)
      const { title: heading, detail } = describeError(error)
      notify.error(heading, { detail })
      return undefined
    })
  }

  const end = (option: DropdownOption | undefined) => {
    openForm?.answer(option)
    setOpenForm(undefined)
  }
  const dialog = openForm && (
    <RequiredFieldsDialog
      isOpen
      onClose={() => end(undefined)}
      collection={collection}
      fields={openForm.fields}
      reasons={openForm.reasons}
      start={{ ...preset, [title.name]: openForm.title }}
      onCreated={(record) => end(optionOf(record))}
    />
  )
  return { create, dialog }
}
