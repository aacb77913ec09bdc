import { Button } from '@mantine/core'
import { useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { isEmptyValue, startingValue } from '#domain/fields/kinds.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { failureText } from '#web/client/problem-text.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { IconPlus } from '#web/kit/icons/icon-plus.ts'
import { later, useLater } from '#web/kit/later.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { useCreateRecord } from './record-queries.ts'
import { namedBy } from './rule-breaches.ts'

type NewRecordButtonProps = {
  readonly collection: KnownCollection
  readonly onCreated: (record: RecordBody) => void
  /** The line at the end of a list, instead of the button above it. */
  readonly look?: 'button' | 'line'
}

const requiredDialog = later(() => import('./required-dialog.tsx'))

/** What must be filled in before a record can exist at all. */
const missingFields = (collection: KnownCollection): readonly Field[] =>
  collection.fields.filter(
    (field) => field.required && isEmptyValue(startingValue(field)) && field.kind !== 'auto-number',
  )

/** The rules that refuse an empty record: what they say, and the fields they name that people fill in. */
type Ruled = { readonly fields: readonly Field[]; readonly reasons: readonly string[] }

const NOT_RULED: Ruled = { fields: [], reasons: [] }

function ruledBy({ rules = [], fields }: KnownCollection, error: unknown): Ruled {
  const failure = asCallFailed(error)
  if (failure?.code !== 'rule-broken') return NOT_RULED
  const broken = rules.filter(({ message }) => failure.errors.some((part) => part.message === message))
  const named = broken.flatMap(namedBy)
  return {
    fields: fields.filter(({ name, kind }) => named.includes(name) && kind !== 'auto-number' && kind !== 'files'),
    reasons: broken.map(({ message }) => message),
  }
}

/** Makes a record at once and opens it; only where fields are required are they asked for first. */
export function NewRecordButton({ collection, onCreated, look = 'button' }: NewRecordButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const [ruled, setRuled] = useState<Ruled>(NOT_RULED)
  const { RequiredDialog } = useLater(requiredDialog, isAsking) ?? {}
  const { mutate, isPending } = useCreateRecord(collection.name)
  const required = missingFields(collection)
  const asked = [...required, ...ruled.fields.filter((field) => !required.includes(field))]

  const begin = () => {
    if (asked.length > 0) return setAsking(true)
    mutate(
      {},
      {
        onSuccess: onCreated,
        onError: (error) => {
          const refused = ruledBy(collection, error)
          setRuled(refused)
          if (refused.fields.length > 0) setAsking(true)
          else notify.error(failureText(error).title, { detail: failureText(error).detail })
        },
      },
    )
  }
  return (
    <>
      <Button
        variant={look === 'button' ? 'filled' : 'subtle'}
        leftSection={<IconPlus size={16} stroke={1.75} />}
        loading={isPending}
        onClick={begin}
      >
        New record
      </Button>
      {RequiredDialog && (
        <RequiredDialog
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          collection={collection}
          fields={asked}
          reasons={ruled.reasons}
          onCreated={(record) => {
            setAsking(false)
            onCreated(record)
          }}
        />
      )}
    </>
  )
}
