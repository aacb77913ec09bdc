import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDocument } from '#domain/rich-text/check-document.ts'
import type { RichNode } from '#domain/rich-text/document-schema.ts'
import { printHtml } from '#domain/rich-text/print-html.ts'
import { printMarkdown } from '#domain/rich-text/print-markdown.ts'
import { meaning } from '#tests/support/document-meaning.ts'
import { ALL_KINDS, kindsIn, randomDocuments } from '#tests/support/random-documents.ts'
import { readHtml } from './read-html.ts'
import { readMarkdown } from './read-markdown.ts'

const checked = (draft: RichNode | undefined): RichNode => {
  const result = checkDocument(draft)
  if (!result.ok) throw new Error(result.fault.message)
  return result.value
}

describe('any document', () => {
  test('may be among those that are tried: with every node and every mark', () => {
    const seen = new Set(fc.sample(randomDocuments, 300).flatMap(kindsIn))
    expect(ALL_KINDS.filter((kind) => !seen.has(kind))).toEqual([])
  })

  test('means the same when its HTML is read back', () => {
    fc.assert(
      fc.property(randomDocuments, (document) => {
        expect(meaning(checked(readHtml(printHtml(document))), 'html')).toEqual(meaning(document, 'html'))
      }),
      { numRuns: 300 },
    )
  })

  test('means the same when its Markdown is read back', () => {
    fc.assert(
      fc.property(randomDocuments, (document) => {
        expect(meaning(checked(readMarkdown(printMarkdown(document))), 'markdown')).toEqual(
          meaning(document, 'markdown'),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('is not changed when it is checked once more', () => {
    fc.assert(
      fc.property(randomDocuments, (document) => {
        expect(checked(JSON.parse(JSON.stringify(document)))).toEqual(document)
      }),
      { numRuns: 200 },
    )
  })
})
