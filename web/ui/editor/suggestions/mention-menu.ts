import { Extension } from '@tiptap/core'
import { PluginKey } from '@tiptap/pm/state'
import { exitSuggestion, Suggestion } from '@tiptap/suggestion'
import { IconFileText, IconUser } from '#web/ui/icons/start.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import type { MentionOption } from '#web/ui/editor/embeds/editor-embeds.ts'
import { type SuggestionItem, rendererOf, type SuggestionStore } from './suggestions.ts'
import type { CurrentEmbeds } from '#web/ui/editor/embeds/create-embeds.ts'

const key = new PluginKey('mentionMenu')

/** Wait after the last keystroke before the server is asked, in ms. */
const PAUSE_MS = 150

type Named = SuggestionItem & { readonly choice: MentionOption }

const namedOf = (choice: MentionOption): Named => ({
  id: choice.mention.id,
  label: choice.name,
  icon: choice.mention.kind === 'user' ? IconUser : IconFileText,
  ...(choice.detail !== undefined && { detail: choice.detail }),
  choice,
})

/** The list that an @ opens: people first, then records, as far as whoever writes may see them. */
export const mentionMenu = (store: SuggestionStore, insideNow: CurrentEmbeds) =>
  Extension.create({
    name: 'mentionMenu',
    addProseMirrorPlugins() {
      let isCut = false
      return [
        Suggestion<Named, Named>({
          editor: this.editor,
          pluginKey: key,
          char: '@',
          allowSpaces: true,
          debounce: PAUSE_MS,
          decorationClass: 'editor-typed',
          allow: ({ state }) => insideNow() !== undefined && !state.selection.$from.parent.type.spec.code,
          items: async ({ query, signal }) => {
            const found = await insideNow()?.search(query, signal)
            isCut = found?.isCut === true
            return (found?.choices ?? []).map(namedOf)
          },
          command: ({ editor, range, props: { choice } }) => {
            insideNow()?.mentioned(choice)
            editor
              .chain()
              .focus()
              .insertContentAt(range, [
                { type: 'mention', attrs: choice.mention },
                { type: 'text', text: ' ' },
              ])
              .run()
          },
          render: rendererOf(store, UI_TEXTS.inside.mention, () => isCut),
        }),
      ]
    },
    onBlur() {
      exitSuggestion(this.editor.view, key)
    },
  })
