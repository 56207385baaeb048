// Runs in the page: takes what is known about the texts, returns the problems.
({ keyParts, foreignTexts }) => {
  const SEEN = 12;
  const key = new RegExp(`^(${keyParts.join('|')})\\.[\\w.]+$`);
  const foreign = new Set(foreignTexts);
  const root = document.documentElement;
  const found = {
    overflow: root.scrollWidth - root.clientWidth,
    cut: [],
    outside: [],
    small: [],
    untranslated: [],
    odd: [],
  };
  const add = (list, text) => {
    if (list.length < SEEN && !list.includes(text)) list.push(text);
  };
  const short = (text) => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

  const visible = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest('.visually-hidden, [aria-hidden="true"], .skip-link') === null;
  const scrolls = (style) => /auto|scroll/.test(style.overflowX);
  // The nearest box that clips horizontally, or null when that is the window.
  const clipOf = (element) => {
    for (let at = element.parentElement; at !== null && at !== root; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== 'visible') return at;
    }
    return null;
  };
  const hasTitle = (element) => {
    for (let at = element, depth = 0; at !== null && depth < 6; at = at.parentElement, depth += 1) {
      if (at.hasAttribute('title') || at.hasAttribute('aria-label')) return true;
    }
    return false;
  };

  function look(text, where) {
    if (key.test(text)) add(found.untranslated, `${text} (${where})`);
    else if (foreign.has(text)) add(found.untranslated, `${short(text)} (${where})`);
    if (/\{\{|\bundefined\b|\bNaN\b|\[object |Invalid Date|\b1970-01-01\b/.test(text)) add(found.odd, short(text));
  }

  for (const element of document.querySelectorAll('body *')) {
    for (const name of ['title', 'aria-label', 'placeholder']) {
      const value = element.getAttribute(name)?.trim();
      if (value) look(value, name);
    }
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
    if (own.length === 0 || !visible(element) || element.closest('script, style, noscript') !== null) continue;
    const text = own
      .map((node) => node.data)
      .join('')
      .trim();
    look(text, 'text');

    const style = getComputedStyle(element);
    const clips = style.overflowX !== 'visible' && !scrolls(style);
    const wide = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
    if (clips && wide && !(style.textOverflow === 'ellipsis' && hasTitle(element))) {
      add(found.cut, `${short(text)} [${element.scrollWidth} in ${element.clientWidth} px]`);
    }
    // Text outside its clipping box or the window.
    const range = document.createRange();
    range.selectNodeContents(element);
    const area = range.getBoundingClientRect();
    if (clips || area.width === 0) continue;
    const clip = clipOf(element);
    if (clip !== null && scrolls(getComputedStyle(clip)) && !clip.classList.contains('page-body')) continue;
    const panel = element.closest('.panel, .stats');
    const edges = [clip, panel].flatMap((box) => (box === null ? [] : [box.getBoundingClientRect().right]));
    const right = Math.min(window.innerWidth, ...edges);
    const clipEllipsis = clip !== null && getComputedStyle(clip).textOverflow === 'ellipsis' && hasTitle(element);
    if (area.right > right + 1 && area.left < right && !clipEllipsis) {
      add(found.outside, `${short(text)} [${Math.round(area.right - right)} px]`);
    }
  }
  // On a phone, what is pressed has the height of a finger, unless it is a word within a sentence.
  // Less the edges of a frame around several.
  const FINGER = 44 - 4;
  // A grid of small cells has a table beside it.
  const PRESSED = 'a[href], button:not(.health-cell, .heat-cell), summary, input, select';
  const controls = window.innerWidth < 768 ? document.querySelectorAll(PRESSED) : [];
  for (const control of controls) {
    const target = control.matches('input') ? (control.closest('label, .mantine-Input-wrapper') ?? control) : control;
    const { height } = target.getBoundingClientRect();
    if (height === 0 || height >= FINGER || !visible(target)) continue;
    const inSentence = [...target.parentNode.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.data),
    );
    if (inSentence && getComputedStyle(target).display === 'inline') continue;
    const where = target.closest('.drawer') === null ? '' : 'drawer: ';
    const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? '';
    add(found.small, `${where}${short(name)} [${target.tagName}.${target.className} ${Math.round(height)} px]`);
  }
  // More than one current entry in a navigation.
  for (const navigation of document.querySelectorAll('nav')) {
    const current = [...navigation.querySelectorAll('[aria-current="page"]')].filter(visible);
    if (current.length > 1) add(found.odd, current.map((link) => short(link.textContent ?? '')).join(', '));
  }
  return found;
};
