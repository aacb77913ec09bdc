import { Extension } from '@tiptap/core'
import { PluginKey } from '@tiptap/pm/state'
import { exitSuggestion, Suggestion } from '@tiptap/suggestion'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { type SuggestionItem, rendererOf, type SuggestionStore } from './suggestions.ts'
import { LINE_TOOLS, type Tool } from '#web/ui/editor/toolbar/toolbar-tools.ts'

const key = new PluginKey('slashMenu')

type ToolSuggestion = SuggestionItem & { readonly tool: Tool }

const suggestionOf = (tool: Tool): ToolSuggestion => ({
  id: tool.name,
  label: tool.label,
  icon: tool.icon,
  keys: tool.keys,
  tool,
})

export function toolsFor(typed: string, tools: readonly Tool[]): Tool[] {
  const wanted = typed.toLowerCase()
  const begins = (words: string) => ` ${words.toLowerCase()}`.includes(` ${wanted}`)
  const byName = tools.filter(({ label }) => begins(label) || begins(label.replaceAll(' ', '')))
  const byOther = tools.filter((tool) => !byName.includes(tool) && begins(tool.alsoCalled ?? ''))
  return [...byName, ...byOther]
}

export const slashMenu = (store: SuggestionStore, tools: readonly Tool[] = LINE_TOOLS) =>
  Extension.create({
    name: 'slashMenu',
    addProseMirrorPlugins() {
      return [
        Suggestion<ToolSuggestion, ToolSuggestion>({
          editor: this.editor,
          pluginKey: key,
          char: '/',
          decorationClass: 'editor-typed',
          allow: ({ state }) => !state.selection.$from.parent.type.spec.code,
          items: ({ query }) => toolsFor(query, tools).map(suggestionOf),
          command: ({ editor, range, props: { tool } }) => {
            editor.chain().focus().deleteRange(range).run()
            tool.use(editor)
          },
          render: rendererOf(store, UI_TEXTS.editor.slashMenu),
        }),
      ]
    },
    onBlur() {
      exitSuggestion(this.editor.view, key)
    },
  })
