import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { FilterBuilder } from './filter-builder.tsx'
import { FilterText } from './filter-text.tsx'
import { flatFilter, treeOf } from './filter-tree.ts'
import { listFields } from './list-fields.ts'
import './filters.css'

/** What the filter's panel is told. */
export type FilterPanelProps = {
  readonly fields: readonly Field[]
  readonly text: string
  readonly onChange: (text: string) => void
  /** What the server has against the filter. */
  readonly refusal: { readonly message: string; readonly position: number | undefined } | undefined
}

type Form = 'lines' | 'text'

/** A filter in one of its two forms: drawn as lines, or typed. */
export function FilterPanel({ fields, text, onChange, refusal }: FilterPanelProps) {
  const tree = treeOf(text)
  const canDraw = tree !== undefined && flatFilter(tree) !== undefined && refusal === undefined
  const [chosen, setChosen] = useState<Form>('lines')
  const form = canDraw ? chosen : 'text'
  return (
    <>
      <div className="filter-panel-head">
        <SegmentedControl
          size="xs"
          aria-label="How the filter is shown"
          value={form}
          onChange={setChosen}
          data={[
            { value: 'lines', label: 'Conditions', disabled: !canDraw },
            { value: 'text', label: 'Text' },
          ]}
        />
        {text !== '' && (
          <Button size="xs" variant="subtle" onClick={() => onChange('')}>
            Clear
          </Button>
        )}
      </div>
      {form === 'lines' ? (
        <FilterBuilder fields={listFields(fields)} text={text} onChange={onChange} />
      ) : (
        <FilterText text={text} onChange={onChange} refusal={refusal} />
      )}
    </>
  )
}
