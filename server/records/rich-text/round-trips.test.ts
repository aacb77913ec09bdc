import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { checkDocument } from '#domain/rich-text/check-document.ts'
import type { RichNode } from '#domain/rich-text/document-schema.ts'
import { printHtml } from '#domain/rich-text/print-html.ts'
import { printMarkdown } from '#domain/rich-text/print-markdown.ts'
import { meaning } from '#tests/support/documents/document-meaning.ts'
import { ALL_KINDS, kindsIn, randomDocuments } from '#tests/support/documents/random-documents.ts'
import { readHtml } from './html/read-html.ts'
import { readMarkdown } from './rich-text-worker.ts'

const ID = '01k9x0000000000000000000aa'

const checked = (draft: RichNode | undefined): RichNode => {
  const result = checkDocument(draft)
  if (!result.ok) throw new Error(result.fault.message)
  return result.value
}

/** Fragments of HTML and Markdown in any order, mostly malformed. */
const soup = fc
  .array(
    fc.oneof(
      fc
        .constantFrom(
          ...'a b blockquote br caption code details div dl dt form h1 h5 hr i img input label li math mglyph mtext ol p pre s select span svg style table tbody td template th title tr u ul'.split(
            ' ',
          ),
        )
        .chain((name) => fc.constantFrom(`<${name}>`, `</${name}>`)),
      fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\n\n',
        '- ',
        '- [x] ',
        '> ',
        '1. ',
        '    ',
        '```',
        '|a|b|\n|-|-|\n',
        '# ',
        '~~',
        '**',
        '`',
      ),
      fc.constantFrom(
        '&nbsp;',
        '<td colspan=3 rowspan=2>',
        '<li data-checked=true>',
        '<input type=checkbox>',
        '<ol start=-1>',
      ),
      fc.constantFrom(
        '<p data-indent=9>',
        '<a href="https://example.org/">',
        '<a href="javascript:x">',
        '<b style="font-weight:700;">',
      ),
      fc.constantFrom(
        '<img src="https://example.org/" alt="\0\ud800">',
        `<img data-file=${ID}>`,
        `<a data-file=${ID}>`,
      ),
      fc.constant(`<span data-mention=user data-id=${ID}>`),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

describe('parsed content', () => {
  test.each([
    ['HTML', readHtml],
    ['Markdown', readMarkdown],
  ])('from %s is valid, and is unchanged after printing and parsing', (form, read) => {
    const print = form === 'HTML' ? printHtml : printMarkdown
    fc.assert(
      fc.property(soup, (text) => {
        const document = checked(read(text))
        const means = form === 'HTML' ? 'html' : 'markdown'
        expect(meaning(checked(read(print(document))), means)).toEqual(meaning(document, means))
      }),
      { numRuns: perTier(300) },
    )
  })
})

describe('any document', () => {
  test('can include every node and mark', () => {
    const seen = new Set(fc.sample(randomDocuments, 300).flatMap(kindsIn))
    expect(ALL_KINDS.filter((kind) => !seen.has(kind))).toEqual([])
  })

  test('is unchanged after printing and parsing HTML', () => {
    fc.assert(
      fc.property(randomDocuments, (document) => {
        expect(meaning(checked(readHtml(printHtml(document))), 'html')).toEqual(meaning(document, 'html'))
      }),
      { numRuns: perTier(300) },
    )
  })

  test('is unchanged after printing and parsing Markdown', () => {
    fc.assert(
      fc.property(randomDocuments, (document) => {
        expect(meaning(checked(readMarkdown(printMarkdown(document))), 'markdown')).toEqual(
          meaning(document, 'markdown'),
        )
      }),
      { numRuns: perTier(300) },
    )
  })

  test('is unchanged by a second validation', () => {
    fc.assert(
      fc.property(randomDocuments, (document) => {
        expect(checked(JSON.parse(JSON.stringify(document)))).toEqual(document)
      }),
      { numRuns: perTier(200) },
    )
  })
})
