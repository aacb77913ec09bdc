import MarkdownIt from 'markdown-it'

/** HTML in Markdown is treated as text. */
const reader = new MarkdownIt({ html: false, linkify: true })

/** Converts Markdown to HTML for the paste handler. A separate chunk, because Markdown is rarely pasted. */
export const markdownAsHtml = (text: string): string => reader.render(text)
