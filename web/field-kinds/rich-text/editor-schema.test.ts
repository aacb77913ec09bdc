import { describe, expect, test } from 'vitest'
import { MARKS, MAX_TABLE_COLUMNS, MAX_TABLE_ROWS, NODES, type NodeName } from '#domain/rich-text/document-schema.ts'
import { editorSchema } from '#web/ui/editor/extensions.ts'
import { MAX_COLUMNS, MAX_ROWS } from '#web/ui/editor/paste/clean-pasted.ts'

const schema = editorSchema()

/** Table attributes used only during editing; they always have their default values and aren't stored. */
const ONLY_WHILE_EDITED = ['colspan', 'rowspan', 'colwidth']

/** Node types allowed inside this node type. */
function mayHold(name: string): string[] {
  const seen = new Set(schema.nodes[name] ? [schema.nodes[name].contentMatch] : [])
  const held = new Set<string>()
  for (const match of seen) {
    for (let at = 0; at < match.edgeCount; at += 1) {
      held.add(match.edge(at).type.name)
      seen.add(match.edge(at).next)
    }
  }
  return [...held].toSorted()
}

const attrsOf = (names: readonly string[]) => names.filter((name) => !ONLY_WHILE_EDITED.includes(name)).toSorted()

describe('the document editor', () => {
  const known = Object.keys(schema.nodes) as NodeName[]

  test('supports exactly the marks that can be stored', () => {
    expect(Object.keys(schema.marks).toSorted()).toEqual(Object.keys(MARKS).toSorted())
  })

  test('limits tables to the size that can be stored', () => {
    expect([MAX_ROWS, MAX_COLUMNS]).toEqual([MAX_TABLE_ROWS, MAX_TABLE_COLUMNS])
  })

  test.each(known)('allows exactly the content that can be stored in a %s', (name) => {
    const rule = NODES[name]
    expect(mayHold(name)).toEqual(rule.content.filter((child) => known.includes(child)).toSorted())
    expect(attrsOf(Object.keys(schema.nodes[name]?.spec.attrs ?? {}))).toEqual(attrsOf(Object.keys(rule.attrs)))
  })
})
