import MarkdownIt from 'markdown-it'

/** Treats HTML in Markdown as text. */
const reader = new MarkdownIt({ html: false, linkify: true })

/** Converts pasted Markdown to HTML. A separate chunk, because Markdown is rarely pasted. */
export const markdownAsHtml = (text: string): string => reader.render(text)
