/* What a page says.  A page is in the language of its lesson, not of who makes it: hence no gettext. */
#include "app/page/words.h"

#include <string.h>

const LsPageWord ls_page_words[] = {
  { "accessOf", { "Access %1 of %2: %3 %4; %5. %6 lines fetched so far.", "第 %1 次访问，共 %2 次：%3 %4；%5。到此取了 %6 条缓存行。", "접근 %1/%2: %4 %3; %5. 지금까지 가져온 캐시 줄 %6개." } },
  { "accesses", { "Accesses", "访问顺序", "접근 순서" } },
  { "another", { "Another one", "再来一题", "하나 더" } },
  { "answer", { "Why", "为什么", "왜 그런가" } },
  { "answers", { "Answers", "答案", "정답" } },
  { "asList", { "As a list", "列表形式", "목록으로" } },
  { "asWritten", { "As it was written", "原来的程序", "처음 프로그램" } },
  { "begin", { "Begin", "开始", "시작" } },
  { "bufferOf", { "Buffer %1, %2", "缓冲区 %1，%2", "버퍼 %1, %2" } },
  { "check", { "Check", "检查", "확인" } },
  { "choices", { "Answers", "选项", "보기" } },
  { "chooseFirst", { "Choose an answer first.", "请先选一个答案。", "먼저 답을 고르세요." } },
  { "code", { "Code", "代码", "코드" } },
  { "contents", { "Contents", "目录", "차례" } },
  { "diff", { "What changed", "变化", "바뀐 것" } },
  { "drill", { "Practice", "练习", "연습" } },
  { "drillText", { "Questions made from the steps of this page, without end.", "由本页的调度步骤出题，题目没有尽头。", "이 쪽의 스케줄 단계로 만든 문제가 끝없이 나옵니다." } },
  { "exercise", { "Exercise", "练习题", "연습 문제" } },
  { "exerciseNote", { "Hidden cases check this in Loopscope, or when it is handed in. Tab indents; Escape, then Tab leaves the field.",
                      "隐藏的测试在 Loopscope 中或提交后运行。Tab 缩进；按 Escape 再按 Tab 离开输入框。",
                      "숨은 검사는 Loopscope에서, 또는 제출한 뒤에 돌립니다. Tab은 들여쓰기, Escape 다음 Tab은 칸을 나갑니다." } },
  { "firstOf", { "(the first %1 × %2)", "（前 %1 × %2）", "(처음 %1 × %2)" } },
  { "graph", { "Graph", "图", "그래프" } },
  { "graphOf", { "Graph, %1 nodes, %2 edges", "图，%1 个节点，%2 条边", "그래프, 노드 %1개, 간선 %2개" } },
  { "effectCount", { "%1 of %2 passes change something.", "%2 个 pass 中有 %1 个做了改动。", "패스 %2개 중 %1개가 무언가를 바꿉니다." } },
  { "filter", { "Pass, function or text", "pass、函数或文本", "패스, 함수 또는 텍스트" } },
  { "foundIn", { "%1 passes shown", "显示 %1 个 pass", "패스 %1개 표시" } },
  { "groups", { "Groups", "分组", "묶음" } },
  { "handIn", { "Hand in", "提交", "제출" } },
  { "handInText", { "Saves what you answered as a file to send to your teacher.", "把你的回答存成文件，交给老师。", "답한 것을 선생님께 보낼 파일로 저장합니다." } },
  { "hint", { "Hint", "提示", "힌트" } },
  { "inFile", { "As recorded in the file:", "文件中的记录：", "파일에 기록된 출력:" } },
  { "itIs", { "This one.", "是这个。", "이것입니다." } },
  { "itWas", { "It was %1.", "是 %1。", "%1이었습니다." } },
  { "keys", { "n and p go to the next and the previous page.", "按 n 和 p 到下一页和上一页。", "n과 p로 다음 쪽과 이전 쪽으로 갑니다." } },
  { "logarithmic", { "Logarithmic axis.", "对数坐标。", "로그 축." } },
  { "loops", { "Loops", "循环", "루프" } },
  { "members", { "%1 nodes", "%1 个节点", "노드 %1개" } },
  { "moment", { "Moment", "时刻", "시점" } },
  { "name", { "Your name", "姓名", "이름" } },
  { "nameFirst", { "Write your name first.", "请先写姓名。", "먼저 이름을 쓰세요." } },
  { "next", { "Next", "下一步", "다음" } },
  { "noScript", { "This page steps and checks with a script that is in it; without it everything can still be read.", "本页用自带的脚本来步进和检查；没有脚本也能阅读全部内容。",
                  "이 쪽은 안에 든 스크립트로 단계를 넘기고 답을 확인합니다. 없어도 모두 읽을 수 있습니다." } },
  { "output", { "Output", "输出", "출력" } },
  { "pause", { "Pause", "暂停", "멈춤" } },
  { "play", { "Play", "播放", "재생" } },
  { "predict", { "Predict, then look", "先预测，再看", "먼저 예측하기" } },
  { "previous", { "Previous", "上一步", "이전" } },
  { "primitive", { "Which primitive was this?", "这是哪个原语？", "어떤 프리미티브였을까요?" } },
  { "program", { "Program", "程序", "프로그램" } },
  { "reads", { "reads", "读", "읽기" } },
  { "recorded", { "Recorded when the page was made; another machine gives other times.", "制作本页时记录；别的机器时间不同。", "이 쪽을 만들 때 잰 값이며, 다른 기계에서는 다릅니다." } },
  { "right", { "Right.", "正确。", "맞았습니다." } },
  { "save", { "Save my answers", "保存我的回答", "내 답 저장" } },
  { "saved", { "Saved among your downloads.", "已保存到下载文件夹。", "내려받은 파일에 저장했습니다." } },
  { "score", { "%1 of %2 right.", "%2 题中答对 %1 题。", "%2문제 중 %1문제 맞음." } },
  { "show", { "Show", "显示", "보기" } },
  { "showMe", { "I don’t know, show me", "不知道，告诉我", "모르겠어요, 보여 주세요" } },
  { "skip", { "To the text", "跳到正文", "본문으로" } },
  { "skipped", { "This cell was not run.", "此单元没有运行。", "이 셀은 실행하지 않았습니다." } },
  { "solution", { "A solution", "参考答案", "풀이 예" } },
  { "stepOf", { "Step %1 of %2", "第 %1 步，共 %2 步", "%2단계 중 %1단계" } },
  { "steps", { "Steps", "步骤", "단계" } },
  { "table", { "Table", "表", "표" } },
  { "shades", { "What is touched first is light, what is touched last is dark.", "先访问的浅，后访问的深。", "먼저 닿은 것은 옅고, 나중에 닿은 것은 짙습니다." } },
  { "think", { "What do you think?", "你怎么想？", "어떻게 생각하나요?" } },
  { "times", { "Times", "时间", "시간" } },
  { "tryAgain", { "Not this one. Look again, and try another.", "不是这个。再看看，换一个试试。", "아닙니다. 다시 보고 다른 것을 골라 보세요." } },
  { "unfold", { "%1, unfold", "展开 %1", "%1 펼치기" } },
  { "whatNext", { "What comes next in this trace?", "这条轨迹的下一步是什么？", "이 트레이스의 다음 단계는 무엇일까요?" } },
  { "whichOne", { "Which primitive made this change?", "这个变化是哪个原语做的？", "어떤 프리미티브가 이렇게 바꾸었을까요?" } },
  { "writes", { "writes", "写", "쓰기" } },
  { "sourceLine", { "source line", "源代码行", "소스 줄" } },
  { "lineSame", { "%1 lines that are the same", "%1 行相同", "같은 줄 %1개" } },
  { "namesOnly", { "only names, attributes or metadata", "仅名称、属性或元数据不同", "이름, 속성, 메타데이터만 바뀜" } },
  { "runsIn", { "the program takes %1", "程序用时 %1", "프로그램 실행 시간 %1" } },
  { "wrongResult", { "wrong result: %1", "结果错误：%1", "잘못된 결과: %1" } },
  { "noEffect", { "changes nothing", "没有改变", "바꾸지 않음" } },
  { "noRoom", { "What this pass changed is left out, to keep the page small.", "为控制网页大小，未包含此 pass 的改动。", "페이지를 작게 하려고 이 패스의 변경은 뺐습니다." } },
  { "noRoomOf", { "What %1 passes changed is left out, to keep the page small.", "为控制网页大小，未包含 %1 个 pass 的改动。", "페이지를 작게 하려고 패스 %1개의 변경을 뺐습니다." } },
  { "nothingBefore", { "nothing earlier to compare with", "之前没有可比较的内容", "비교할 이전 내용이 없음" } },
  { "onlyEffect", { "Only passes that change something", "只列出有改变的 pass", "바꾸는 패스만" } },
  { "passes", { "Passes", "pass 列表", "패스" } },
  { "beforeStatement", { "Before statement %1 of %2.", "在第 %1 条语句之前，共 %2 条。", "%2개 중 %1번째 문장 앞." } },
  { "becomes", { "%1 becomes %2.", "%1 变为 %2。", "%1은(는) %2이(가) 됩니다." } },
  { "lastStop", { "Back to the last stop", "回到上一个停点", "앞 멈춤으로" } },
  { "nextStop", { "On to the next stop", "到下一个停点", "다음 멈춤으로" } },
  { "rightOf", { "%1 of %2 right.", "%2 题中答对 %1 题。", "%2문제 중 %1문제 맞음." } },
  { "runOver", { "The run is over after %1 statements.", "运行在 %1 条语句后结束。", "문장 %1개 뒤에 실행이 끝났습니다." } },
  { "runPart", { "The first %1 statements are written down.", "记录了前 %1 条语句。", "처음 문장 %1개를 적어 두었습니다." } },
  { "statement", { "Statement", "语句", "문장" } },
  { "whichElement", { "Which element is written next?", "接下来写哪个元素？", "다음에 쓰이는 원소는?" } },
  { "whichValue", { "Which value is written next?", "接下来写入什么值？", "다음에 쓰이는 값은?" } },
  { NULL, { NULL } }
};

guint
ls_page_language (const char *language)
{
  return strcmp (language, "zh_CN") == 0 || strcmp (language, "zh-CN") == 0 ? 1 : strcmp (language, "ko") == 0 ? 2 : 0;
}

const char *
ls_page_word_in (const char *language,
                 const char *name)
{
  for (guint i = 0; ls_page_words[i].name != NULL; i++)
    if (strcmp (ls_page_words[i].name, name) == 0)
      return ls_page_words[i].words[ls_page_language (language)];
  g_assert_not_reached ();
}
