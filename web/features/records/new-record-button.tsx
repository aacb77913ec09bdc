import { Button } from '@mantine/core'
import { useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import { failureText } from '#web/client/problem-text.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { useCommand } from '#web/kit/commands.ts'
import { IconPlus } from '#web/kit/icons/icon-plus.ts'
import { later, useLater } from '#web/kit/later.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { t } from '#web/language/t.ts'
import type { AskedFirst } from './asked-first.ts'
import { useCreateRecord } from './record-queries.ts'

type NewRecordButtonProps = {
  readonly collection: KnownCollection
  readonly onCreated: (record: RecordBody) => void
  /** The line at the end of a list, instead of the button above it. */
  readonly look?: 'button' | 'line'
}

const requiredDialog = later(() => import('./required-dialog.tsx'))
const askedFirst = later(() => import('./asked-first.ts'))

const NOTHING: AskedFirst = { fields: [], reasons: [] }

/** Makes a record at once and opens it; only where fields are required are they asked for first. */
export function NewRecordButton({ collection, onCreated, look = 'button' }: NewRecordButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const [asked, setAsked] = useState(NOTHING)
  const { RequiredDialog } = useLater(requiredDialog, isAsking) ?? {}
  const { mutate, isPending } = useCreateRecord(collection.name)
  useLater(askedFirst, false)

  const ask = (first: AskedFirst) => {
    setAsked(first)
    if (first.fields.length > 0) setAsking(true)
    return first.fields.length > 0
  }
  const begin = ({ missingFields, ruledBy }: Awaited<ReturnType<typeof askedFirst.load>>) => {
    if (ask(missingFields(collection, asked))) return
    mutate(
      {},
      {
        onSuccess: onCreated,
        onError: (error) => {
          if (!ask(ruledBy(collection, error))) sayFailed(error)
        },
      },
    )
  }
  const make = () => void askedFirst.load().then(begin, sayFailed)
  useMakeCommand(look, make)
  return (
    <>
      <Button
        variant={look === 'button' ? 'filled' : 'subtle'}
        leftSection={<IconPlus size={16} stroke={1.75} />}
        loading={isPending}
        onClick={make}
      >
        {t('New record')}
      </Button>
      {RequiredDialog && (
        <RequiredDialog
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          collection={collection}
          {...asked}
          onCreated={(record) => {
            setAsking(false)
            onCreated(record)
          }}
        />
      )}
    </>
  )
}

/** The line at the end makes it in the list; by the palette and by its key it is opened. */
function useMakeCommand(look: 'button' | 'line', run: () => void): void {
  const command = {
    id: 'new-record',
    label: t('New record'),
    about: 'page',
    alsoCalled: t('Add, create'),
    run,
  } as const
  useCommand(look === 'button' ? { ...command, icon: IconPlus } : undefined)
}

function sayFailed(error: unknown): void {
  const { title, detail } = failureText(error)
  notify.error(title, { detail })
}
