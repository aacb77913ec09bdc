import { describe, expect, test } from 'vitest'
import { looksLikeMarkdown } from './clean-pasted.ts'

describe('plain text in the editor', () => {
  test.each([
    '# Title\n\nwords',
    'Before\n\n```ts\nconst a = 1\n```',
    '- [ ] call\n- [x] write',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
    'See [the page](https://example.org).',
    'This is **important**.',
    '- one\n- two',
    '1. one\n2. two',
    '> said\n> done',
  ])('is detected as Markdown: %j', (text) => {
    expect(looksLikeMarkdown(text)).toBe(true)
  })

  test.each([
    'Dear Ada,\nit is 3 * 4 * 5.',
    '#hashtag and #another',
    '- a dash at the beginning of one line',
    '1. January was cold.',
    'a_b_c and **kwargs, or 2**3**4',
    '--- snip ---',
    'A | B\nC | D',
  ])('is not detected as Markdown: %j', (text) => {
    expect(looksLikeMarkdown(text)).toBe(false)
  })
})
