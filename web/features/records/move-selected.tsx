import { Button, Menu, Modal } from '@mantine/core'
import { useState } from 'react'
import type { NoteWish } from '#domain/workflow/workflow.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { ChoiceChip } from '#web/fields/select/choice-chip.tsx'
import { type GridSelection, NOTHING_SELECTED } from '#web/kit/grid/selection.ts'
import { IconArrowRight } from '#web/kit/icons/icon-arrow-right.ts'
import { NoteForm } from './note-form.tsx'
import type { Listing } from './record-list-queries.ts'
import { type Destination, useMoveSelected } from './use-move-selected.ts'

type MoveSelectedProps = {
  readonly collection: KnownCollection
  readonly listing: Listing
  readonly selection: GridSelection
  readonly onSelection: (selection: GridSelection) => void
}

/** A state that some transition leads to. */
type Target = { readonly name: string; readonly color: string; readonly note: NoteWish }

/** Takes what is selected to another state, as far as moves lead there. */
export function MoveSelected({ collection, listing, selection, onSelection }: MoveSelectedProps) {
  const [asking, setAsking] = useState<Target>()
  const { move, isBusy } = useMoveSelected(collection.name)
  const targets = targetsOf(collection)
  if (targets.length === 0) return null

  const run = (destination: Destination) => {
    setAsking(undefined)
    onSelection(NOTHING_SELECTED)
    void move(listing, selection, destination)
  }
  const choose = (target: Target) => (target.note === 'none' ? run({ to: target.name }) : setAsking(target))
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button size="xs" loading={isBusy} leftSection={<IconArrowRight size={14} stroke={1.75} aria-hidden />}>
            Move
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Move to</Menu.Label>
          {targets.map((target) => (
            <Menu.Item key={target.name} onClick={() => choose(target)}>
              <ChoiceChip name={target.name} color={target.color} />
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title={`Move to ${asking?.name}`}
        size={440}
      >
        {asking && (
          <NoteForm
            actionLabel="Move"
            isRequired={asking.note === 'required'}
            isBusy={isBusy}
            onCancel={() => setAsking(undefined)}
            onDone={(note) => run({ to: asking.name, note })}
          />
        )}
      </Modal>
    </>
  )
}

/** The states that transitions lead to, in their order, with the most that one of these asks for. */
function targetsOf({ workflow, fields }: KnownCollection): readonly Target[] {
  const field = fields.find(({ id }) => id === workflow?.field)
  if (field?.kind !== 'state' || !workflow) return []
  return field.options.choices.flatMap(({ id, name, color }) => {
    const notes = workflow.transitions.filter(({ to }) => to === id).map(({ note }) => note)
    return notes.length === 0 ? [] : { name, color, note: STRICTEST.find((note) => notes.includes(note)) ?? 'none' }
  })
}

const STRICTEST: readonly NoteWish[] = ['required', 'optional', 'none']
