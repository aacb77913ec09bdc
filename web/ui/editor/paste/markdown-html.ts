import MarkdownIt from 'markdown-it'

/** HTML in Markdown stays what it is, words: what it may mean is the business of pasted HTML. */
const reader = new MarkdownIt({ html: false, linkify: true })

/** Markdown as HTML, for the paste that follows. In a chunk of its own: few ever paste Markdown. */
export const markdownAsHtml = (text: string): string => reader.render(text)
